// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/program.h"
#include "study/presets.h"

#include <gmock/gmock.h>

#include <fstream>

namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

void expectRefusal(const std::string& arguments, const std::string& sentence)
{
    const Answer answer = call(arguments);
    EXPECT_EQ(answer.status, 2) << arguments;
    EXPECT_THAT(answer.error, StartsWith("credence: ")) << arguments;
    EXPECT_THAT(answer.error, HasSubstr(sentence)) << arguments;
    EXPECT_THAT(answer.out, IsEmpty()) << arguments;
}

TEST(CommandLine, VersionNamesTheInstructionSet)
{
    const Answer answer = call("--version");
    EXPECT_EQ(answer.status, 0);
    EXPECT_THAT(answer.out, StartsWith("Credence "));
    EXPECT_THAT(answer.out,
                testing::ContainsRegex("[( ]instruction set (x86-64-v[234]|baseline), (GCC|Clang) [0-9.]+\\)"));
}

TEST(CommandLine, HelpNamesTheCommandsAndTheExitStatus)
{
    const Answer answer = call("--help");
    EXPECT_EQ(answer.status, 0);
    for (const char* word : {"run", "list", "figure", "130 cancelled"})
        EXPECT_THAT(answer.out, HasSubstr(word));
    EXPECT_THAT(call("run --help").out, HasSubstr("PATH=VALUE"));
}

TEST(CommandLine, ListNamesEveryPreset)
{
    const Answer answer = call("list");
    EXPECT_EQ(answer.status, 0);
    EXPECT_THAT(answer.error, IsEmpty());
    for (const auto& preset : credence::presets())
        EXPECT_THAT(answer.out, HasSubstr(preset.id));
}

TEST(CommandLine, ListNamesEveryViewOnRequest)
{
    const Answer answer = call("list --views");
    EXPECT_EQ(answer.status, 0);
    for (const char* view : {"decision_map", "boxplots", "scores"})
        EXPECT_THAT(answer.out, HasSubstr(std::string("\n") + view));
    EXPECT_THAT(answer.out, HasSubstr(" Errors of the predictions compared with the predicted standard deviations.\n"));
    EXPECT_THAT(answer.out, HasSubstr(" Loss, KL and scores at the recorded steps.\n"));
}

TEST(CommandLine, TextThatOnlyLooksLikeANumberIsRejectedAsTyped)
{
    for (const char* number : {"nan", "inf", "-inf", "1e400", "NaN"})
        for (const char* option :
             {"figure run --view boxplots --to x.csv --epsilon", "figure run --view boxplots --to x.csv --prune",
              "figure run --view boxplots --to x.csv --input", "figure run --view boxplots --to x.csv --font-size",
              "run two_moons_mean_field --checkpoint-every", "double-well --temperature", "bridge a.npz --top-k"})
            expectRefusal(std::string(option) + "=" + number, "--");
    expectRefusal("run two_moons_mean_field --checkpoint-every nan",
                  "--checkpoint-every: found \"nan\", expected a finite number");
    expectRefusal("run two_moons_mean_field --seed 99999999999999999999",
                  "--seed: found \"99999999999999999999\", expected a whole number of at most 9223372036854775807");
    expectRefusal("figure run --view boxplots --to x.csv --row 99999999999999999999",
                  "--row: found \"99999999999999999999\"");
    expectRefusal("figure run --view boxplots --to x.csv --row -1",
                  "--row: found \"-1\", expected a number of at least 0");
    expectRefusal("figure run --view boxplots --to x.csv --prune 95",
                  "--prune: found \"95\", expected a number from 0 to 1");
    expectRefusal("run two_moons_mean_field --seed 1.5", "--seed: found \"1.5\", expected a whole number");
    expectRefusal("run two_moons_mean_field --out \"\"",
                  "--out: found empty text, expected the name of a file or folder");
    const std::string longest(20'000, '9');
    EXPECT_LT(call("run two_moons_mean_field --seed " + longest).error.size(), 300u);
    for (const char* arguments : {"run two_moons_mean_field --seed=", "figure run --view boxplots --to x.csv --prune ",
                                  "run two_moons_mean_field second ", "--theme="})
        EXPECT_LT(call(arguments + longest).error.size(), 300u) << arguments;
    EXPECT_LT(call("run two_moons_mean_field --set data.noise=" + longest + "x").error.size(), 500u);
}

TEST(CommandLine, BadInputExitsTwoWithOneSentence)
{
    expectRefusal("run", "STUDY is required");
    expectRefusal("run no_such_preset", "There is no preset \"no_such_preset\"");
    expectRefusal("run no/such/file.json", "no/such/file.json: the file cannot be read");
    expectRefusal("run xor --set training.stps=3", "did you mean training.steps?");
    expectRefusal("run xor --set training.steps=0",
                  "training.steps is 0, expected a whole number from 1 to 1000000000.");
    expectRefusal("run xor --set prior.kind=scale_mixture", "no closed form");
    expectRefusal("run xor --threads 0", "--threads");
    expectRefusal("run xor --set data.source=csv --set data.file=missing.csv", "missing.csv");
    expectRefusal("--nonsense", "nonsense");
    expectRefusal("list no/such/folder", "no/such/folder: there is no such folder");
    expectRefusal("figure no/such/run --view boxplots --to x.pdf", "no such file");
    expectRefusal("figure x --view nonsense --to x.pdf", "nonsense");
}

TEST(CommandLine, AnInvalidStudyIsReportedWithItsLine)
{
    const auto folder = freshFolder("broken");
    std::ofstream(folder / "broken.json") << "{\n  \"seed\": \n}";
    expectRefusal("run '" + (folder / "broken.json").string() + "'",
                  "broken.json, line 3: found text that is not JSON");
}

TEST(CommandLine, TheWindowReportsAMissingDisplay)
{
    expectRefusal("", "No display found");
    expectRefusal("--theme dark", "No display found");
    expectRefusal("--theme=light", "No display found");
}

TEST(CommandLine, TheWindowRejectsFilesThatItCannotOpen)
{
    const auto folder = freshFolder("window");
    const auto a = (folder / "a.json").string(), b = (folder / "b.json").string();
    for (const auto& file : {a, b})
        std::ofstream(file) << "{}";
    expectRefusal("'" + a + "'", "No display found");
    expectRefusal("--theme=dark '" + a + "'", "No display found");
    expectRefusal("'" + a + "' '" + b + "'", "found 2 files (" + a + ", " + b + "), expected at most one");
    expectRefusal("nothere.json", "nothere.json: there is no such file, and no command of this name");
    expectRefusal("'" + a + "' --foo", "--foo");
    expectRefusal("--theme", "--theme");
    expectRefusal("--theme=blue", "blue");
    expectRefusal("--theme dark list", "found --theme before the command list");
    expectRefusal("'" + a + "' list", "before the command list");
}

}   // namespace
