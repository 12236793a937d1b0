// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/finished_run.h"

#include <gmock/gmock.h>

#include <fstream>

namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string figureOfFinishedRun(const std::string& options)
{
    return "figure " + quoted(finishedRun()) + " --view decision_map " + options;
}

TEST(FigurePage, AcceptsTheSizeOfAColumnOrASlideByName)
{
    const auto folder = freshFolder("pages");
    for (const auto& [name, width] : {std::pair{"column", "89mm"}, {"slide", "339mm"}}) {
        const auto file     = folder / (std::string(name) + ".svg");
        const Answer answer = call(
            figureOfFinishedRun(std::string("--title --size ") + name + " --to " + quoted(file)));
        EXPECT_EQ(answer.status, 0) << answer.error;
        EXPECT_THAT(contentOf(file), HasSubstr(std::string("width=\"") + width));
    }
    const Answer wrong = call(figureOfFinishedRun("--size poster --to x.svg"));
    EXPECT_EQ(wrong.status, 2);
    EXPECT_THAT(wrong.error, HasSubstr("--size is \"poster\", expected WIDTHxHEIGHT in mm"));
    EXPECT_THAT(call(figureOfFinishedRun("--size 5x5 --to x.svg")).error,
                HasSubstr("--size is \"5x5\", expected WIDTHxHEIGHT of 10 to 2000 mm."));
}

TEST(FigurePage, WritesTheCaptionAndAllSettingsNextToTheFigure)
{
    const auto folder = freshFolder("captions");
    for (const char* kind : {"txt", "tex"}) {
        const Answer answer = call(
            figureOfFinishedRun(std::string("--caption ") + kind + " --to " + quoted(folder / "map.csv")));
        EXPECT_EQ(answer.status, 0) << answer.error;
    }
    EXPECT_THAT(contentOf(folder / "map_caption.txt"), HasSubstr("\nSettings\n  "));
    EXPECT_THAT(contentOf(folder / "map_caption.txt"), HasSubstr("Seed: 7\n"));
    EXPECT_THAT(contentOf(folder / "map_caption.tex"), HasSubstr("\\label{fig:map}\n"));
    EXPECT_EQ(call(figureOfFinishedRun("--caption doc --to x.csv")).status, 2);
}

TEST(FigurePage, ACaptionReplacesOnlyCaptionsOfCredence)
{
    const auto folder  = freshFolder("kept_captions");
    const auto caption = folder / "map_caption.txt";
    std::ofstream(caption) << "my own words\n";
    const std::string options = "--caption txt --to " + quoted(folder / "map.csv");
    const Answer refused      = call(figureOfFinishedRun(options));
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.error, HasSubstr("map_caption.txt: Credence did not write this file"));
    EXPECT_EQ(contentOf(caption), "my own words\n");
    EXPECT_FALSE(std::filesystem::exists(folder / "map.csv")) << "refused before anything is written";
    EXPECT_EQ(call(figureOfFinishedRun(options + " --overwrite")).status, 0);
    EXPECT_EQ(call(figureOfFinishedRun(options)).status, 0) << "its own caption is replaced";
}

TEST(FigurePage, DrawsAFigureOfEachRunUnderItsOwnName)
{
    const auto folder   = freshFolder("each");
    const Answer answer = call("figure " + quoted(finishedRun()) + " " + quoted(finishedRun() / "run.credence")
                               + " --each --view boxplots --to " + quoted(folder / "boxes.csv"));
    EXPECT_EQ(answer.status, 0) << answer.error;
    EXPECT_TRUE(std::filesystem::exists(folder / "xor_boxes.csv"));
    EXPECT_EQ(contentOf(folder / "xor_boxes.csv"), contentOf(folder / "xor-2_boxes.csv")) << "they are the same run";
    EXPECT_FALSE(std::filesystem::exists(folder / "boxes.csv"));
}

}   // namespace
