// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/program.h"
#include "command/manual_page.h"
#include "command/shell_completions.h"
#include "foundation/error.h"
#include "study/presets.h"
#include "sweeps/sweep.h"
#include "views/views.h"

#include <gmock/gmock.h>

namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// A program with one command, one flag and one option.
CommandWords smallProgram()
{
    const CommandOption study{{"STUDY"}, "", "A study", true, true, false};
    const CommandOption quiet{{"-q", "--quiet"}, "", "Say 'nothing' [at all]", false, false, false};
    const CommandOption out{{"--out"}, "DIR", "Folder", false, false, false};
    return {"credence", "Explores", {}, {{"run", "Trains", {study, quiet, out}, {}}}};
}

const char* const small_texts =
    "# NAME\ncredence - explore\n\n# DESCRIPTION\nOne.\n\nTwo with `--out` and a *word*.\n\n# COMMANDS\n## run\n.hidden is text.\n\n"
    "# EXAMPLES\n    credence run a-b\n";

TEST(ManualPage, HasTheWordsOfTheCommandLineAndTheTexts)
{
    EXPECT_EQ(
        manualPage(smallProgram(), small_texts, {"0.1.0", "2026-11-30"}),
        ".\\\" Made by `credence manual` of the words of the command line and resources/manual.md; do not edit.\n"
        ".TH CREDENCE 1 \"2026-11-30\" \"Credence 0.1.0\" \"User commands\"\n.nh\n.ad l\n"
        ".SH NAME\ncredence - explore\n"
        ".SH SYNOPSIS\n\\fBcredence\\fR [\\fIFILE\\fR]\n.br\n\\fBcredence run\\fR \\fISTUDY\\fR [\\fIOPTION\\fR]...\n"
        ".SH DESCRIPTION\nOne.\n.PP\nTwo with \\fB\\-\\-out\\fR and a \\fIword\\fR.\n"
        ".SH COMMANDS\n.SS \\fBcredence run\\fR \\fISTUDY\\fR [\\fIOPTION\\fR]...\n\\&.hidden is text.\n"
        ".TP\n\\fISTUDY\\fR\nA study.\n"
        ".TP\n\\fB\\-q\\fR, \\fB\\-\\-quiet\\fR\nSay 'nothing' [at all].\n"
        ".TP\n\\fB\\-\\-out\\fR \\fIDIR\\fR\nFolder.\n"
        ".SH EXAMPLES\n.PP\n.EX\n    credence run a\\-b\n.EE\n");
}

TEST(ManualPage, ACommandWithoutATextAndATextWithoutACommandAreRefused)
{
    const auto refusal = [](const std::string& texts) {
        try {
            manualPage(smallProgram(), texts, {});
        } catch (const credence::Error& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    EXPECT_THAT(refusal("# COMMANDS\n"), HasSubstr("no text of the command \"credence run\""));
    EXPECT_THAT(refusal("# COMMANDS\n## walk\nFar.\n"), HasSubstr("found the heading \"walk\""));
    EXPECT_THAT(refusal(small_texts), IsEmpty());
}

TEST(ManualPage, TellsOfEveryCommandAndOption)
{
    const Answer page = call("manual");
    ASSERT_EQ(page.status, 0) << page.error;
    EXPECT_THAT(page.error, IsEmpty());
    for (const char* words : {".SH NAME\n", "credence run\\fR", "credence data import\\fR", "\\-\\-checkpoint\\-every",
                              "\\-\\-prune\\-keep\\-biases", ".SH EXIT STATUS\n", "CREDENCE_DATA_DIR", "\\-\\-theme"})
        EXPECT_THAT(page.out, HasSubstr(words));
    EXPECT_THAT(call("manual --date 2026-11-30").out, HasSubstr(".TH CREDENCE 1 \"2026-11-30\""));
}

TEST(ShellCompletions, KnowTheListsOfTheProgram)
{
    for (const char* shell : {"bash", "zsh", "fish"}) {
        const Answer answer = call(std::string("completion ") + shell);
        ASSERT_EQ(answer.status, 0) << answer.error;
        for (const auto& preset : credence::presets())
            EXPECT_THAT(answer.out, HasSubstr(preset.id)) << shell;
        for (const auto& sweep : credence::sweeps())
            EXPECT_THAT(answer.out, HasSubstr(sweep.id)) << shell;
        for (const auto& view : credence::views())
            EXPECT_THAT(answer.out, HasSubstr(view.id)) << shell;
        EXPECT_THAT(answer.out, HasSubstr("training.learning_rate=")) << shell;
        EXPECT_THAT(answer.out, Not(HasSubstr("@NESTED@"))) << shell;   // nothing is left to be filled in
    }
    const Answer wrong = call("completion csh");
    EXPECT_EQ(wrong.status, 2);
    EXPECT_THAT(wrong.error, HasSubstr("csh"));
}

TEST(ShellCompletions, QuotesWhatAShellWouldReadOtherwise)
{
    const WordLists lists{{"run STUDY", {"xor", "two_moons"}}};
    EXPECT_THAT(zshCompletion(smallProgram(), lists), HasSubstr("'--quiet[Say '\\''nothing'\\'' \\[at all\\]]'"));
    EXPECT_THAT(zshCompletion(smallProgram(), lists), HasSubstr("'--out[Folder]:DIR:_files -/'"));
    EXPECT_THAT(fishCompletion(smallProgram(), lists), HasSubstr("-s q -l quiet -f -d 'Say \\'nothing\\' [at all]'"));
    EXPECT_THAT(bashCompletion(smallProgram(), lists), HasSubstr("__credence_offer 'xor two_moons' files"));
}

}   // namespace
