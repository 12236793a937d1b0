// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/program.h"
#include "study/fields.h"

#include <gmock/gmock.h>

#include <sstream>
#include <vector>

namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::vector<std::string> all_commands{"run",       "list",       "compare",     "figure",        "film",
                                            "open",      "bridge",     "double-well", "reproduce",     "papers",
                                            "linter",    "bandit",     "sweep",       "active",        "completion",
                                            "data list", "data fetch", "data import", "data describe", "predict"};

/// The words of a help text that begin a line of an option: "--seed".
std::vector<std::string> optionsIn(const std::string& help)
{
    std::vector<std::string> options;
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("  --"))
            options.push_back(line.substr(2, line.find(' ', 2) - 2));
    return options;
}

TEST(HelpOfAll, DescribesEveryOptionOfEveryCommand)
{
    const Answer all = call("--help-all");
    ASSERT_EQ(all.status, 0) << all.error;
    EXPECT_THAT(all.error, IsEmpty());
    for (const auto& command : all_commands) {
        const auto begin = all.out.find("\ncredence " + command + " ");
        ASSERT_NE(begin, all.out.npos) << command;
        const std::string section = all.out.substr(begin, all.out.find("\ncredence ", begin + 1) - begin);
        const Answer own          = call(command + " --help");
        const auto options        = optionsIn(own.out);
        for (const auto& option : options)
            EXPECT_THAT(section, HasSubstr("\n  " + option)) << command;
        EXPECT_EQ(options, optionsIn(section)) << command;
    }
    EXPECT_THAT(all.out, HasSubstr("\n  --theme light|dark "));
    EXPECT_THAT(all.out, HasSubstr("\n  -h, --help "));
}

TEST(HelpOfAll, NamesValuesWithoutTheirBounds)
{
    const std::string text = call("--help-all").out;
    EXPECT_THAT(text, HasSubstr("\n  --seed N                    Seed to use instead of the Study's.\n"));
    EXPECT_THAT(text, HasSubstr("\n  --checkpoint-every SECONDS  Seconds between"));
    EXPECT_THAT(text, HasSubstr("\ncredence figure [OPTIONS] RUN...:\n  Draw one view of a run to a file"));
    EXPECT_THAT(text, Not(HasSubstr("NONNEGATIVE")));
}

TEST(Help, TheTableOfCommandsAndTheirHelpAgree)
{
    const std::string help = call("--help").out;
    for (const auto& command : all_commands) {
        const std::string first = command.substr(0, command.find(' '));
        EXPECT_THAT(help, HasSubstr("\n  " + first + " "));
        const std::string own = call(first + " --help").out;
        EXPECT_THAT(help, HasSubstr(own.substr(0, own.find('\n')))) << first;
    }
}

TEST(List, NamesEverySettingOnRequest)
{
    const Answer answer = call("list --settings");
    ASSERT_EQ(answer.status, 0) << answer.error;
    for (const auto& field : credence::study_fields())
        EXPECT_THAT(answer.out, HasSubstr("\n" + field.path + " "));
    EXPECT_EQ(call("list --settings --views").status, 2);
}

TEST(ShellCompletions, ArePrintedForThreeShells)
{
    EXPECT_THAT(call("completion bash").out, HasSubstr("complete -F _credence credence\n"));
    EXPECT_THAT(call("completion zsh").out, testing::StartsWith("#compdef credence\n"));
    EXPECT_THAT(call("completion fish").out, HasSubstr("complete -c credence "));
    const Answer wrong = call("completion csh");
    EXPECT_EQ(wrong.status, 2);
    EXPECT_THAT(wrong.error, HasSubstr("csh"));
    EXPECT_THAT(wrong.out, IsEmpty());
}

}   // namespace
