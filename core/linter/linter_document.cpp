// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/rules.h"

namespace credence {

namespace {

const char* const about_the_linter =
    "# The linter\n"
    "\n"
    "Behind every run the linter looks for what is wrong or doubtful with it and says so in plain words. `credence run` and `credence open` print what it found behind "
    "the scores and write it into `results.json` (`findings`). A finding has its evidence, which is the number that was found and the threshold with its source; the "
    "reason; and what mends it, settings (`--set`), or what shows it, a view (`--view`). *Wrong* is a mistake: numbers of this run do not mean what they are called. "
    "*Doubtful* says: look at it before you trust the run. Of a healthy run nothing is said.\n"
    "\n"
    "Rules look at the Study, the recorded course, the posterior of the end, and at predictions that the scores are made of; where there are none yet, at some rows "
    "by fewer draws, so that a large net takes a few seconds. Sources are in [references.md](references.md); [architecture.md](architecture.md) says how a rule is "
    "added. `credence linter --write` writes this page from the rules.\n";

}   // namespace

std::string linter_document()
{
    std::string page = about_the_linter;
    for (const auto& rule : lint_rules())
        page += "\n## " + rule.title + "\n\n`" + rule.id + "`: " + rule.what + "\n";
    return page;
}

}   // namespace credence
