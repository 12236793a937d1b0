// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/rules.h"

namespace credence {

std::string linter_document()
{
    std::string page = "# The linter\n";
    for (const auto& rule : lint_rules())
        page += "\n## " + rule.title + "\n\n`" + rule.id + "`. " + rule.what + "\n";
    return page;
}

}   // namespace credence
