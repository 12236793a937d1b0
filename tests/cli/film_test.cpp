// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/finished_run.h"

#include <gmock/gmock.h>

#include <fstream>

namespace {

using testing::HasSubstr;
using testing::StartsWith;

Answer filmOfFinishedRun(const std::string& options)
{
    return call("film " + quoted(finishedRun()) + " --view decision_map --size 320x180 " + options);
}

TEST(FilmCommand, WritesAnAnimatedPngOrAGif)
{
    const auto folder = freshFolder("films");
    for (const auto& [suffix, begin] : {std::pair{"png", "\x89PNG"}, {"gif", "GIF89a"}}) {
        const auto file     = folder / (std::string("film.") + suffix);
        const Answer answer = filmOfFinishedRun("--frames 3 --seconds 1.5 --to " + quoted(file));
        EXPECT_EQ(answer.status, 0) << answer.error;
        EXPECT_THAT(answer.error, testing::IsEmpty());
        EXPECT_THAT(contentOf(file), StartsWith(begin)) << suffix;
    }
    const auto png = contentOf(folder / "film.png");
    EXPECT_THAT(png, HasSubstr("acTL" + std::string("\0\0\0\3", 4)));
    EXPECT_THAT(png, HasSubstr(std::string("\0\x32\0\x64", 4))) << "half a second per frame";
}

TEST(FilmCommand, WritesASeriesOfPngFilesToANewFolder)
{
    const auto folder   = freshFolder("film_series") / "series";
    const Answer answer = filmOfFinishedRun("--frames 2 --dark --caption 'My talk' --to '" + folder.string() + "/'");
    EXPECT_EQ(answer.status, 0) << answer.error;
    EXPECT_THAT(contentOf(folder / "frame-001.png"), StartsWith("\x89PNG"));
    EXPECT_TRUE(std::filesystem::exists(folder / "frame-002.png"));
    EXPECT_FALSE(std::filesystem::exists(folder / "frame-003.png"));
}

TEST(FilmCommand, TwoFilmsOfOneRunAreTheSameBytes)
{
    const auto folder = freshFolder("same_films");
    for (const char* name : {"a.gif", "b.gif", "a.png", "b.png"}) {
        const std::string threads = *name == 'a' ? "--threads 1" : "--threads 2";
        const Answer answer       = filmOfFinishedRun("--frames 2 " + threads + " --to " + quoted(folder / name));
        EXPECT_EQ(answer.status, 0) << answer.error;
    }
    EXPECT_TRUE(contentOf(folder / "a.gif") == contentOf(folder / "b.gif"));
    EXPECT_TRUE(contentOf(folder / "a.png") == contentOf(folder / "b.png"));
}

TEST(FilmCommand, RefusesInOneSentence)
{
    const auto folder  = freshFolder("film_refusals");
    const auto refusal = [&](const std::string& options) {
        const Answer answer = call("film " + options);
        EXPECT_EQ(answer.status, 2) << options;
        return answer.error;
    };
    const std::string run = quoted(finishedRun()) + " ", to = " --to " + quoted(folder / "film.gif");
    std::ofstream(folder / "there.gif") << "mine";
    EXPECT_THAT(refusal(run + "--view decision_map --to " + quoted(folder / "there.gif")),
                HasSubstr("there.gif: already exists, expected the name of a new file or folder."));
    EXPECT_THAT(refusal(run + "--view decision_map --to " + quoted(folder / "film.mp4")),
                HasSubstr("film.mp4: the suffix is \".mp4\", expected .png (animated), .gif, or the name of a new "
                          "folder without suffix."));
    EXPECT_THAT(refusal(run + "--view decisions" + to), HasSubstr("decisions"));
    EXPECT_THAT(refusal(run + "--view regression_band" + to), HasSubstr("The view regression_band does not apply to "));
    EXPECT_THAT(refusal(run + "--view decision_map --frames 1" + to), HasSubstr("--frames"));
    EXPECT_THAT(refusal(run + "--view decision_map --frames 999" + to),
                HasSubstr("frames, the number of recorded steps; found 999."));
    EXPECT_THAT(refusal(run + "--view decision_map --size 5x5" + to),
                HasSubstr("--size is \"5x5\", expected WIDTHxHEIGHT of 160x90 to 3840x2160 pixels."));
    EXPECT_THAT(
        refusal(run + "--view decision_map --frames 100 --seconds 0.1" + to),
        testing::AnyOf(HasSubstr("number of recorded steps"), HasSubstr("--seconds is 0.1, expected at least 2 ")));
    EXPECT_THAT(refusal(run + "--view decision_map --seconds 3 --fps 5" + to), HasSubstr("--fps"));
    EXPECT_THAT(refusal(run + "--view boxplots --input 1,2,3" + to), HasSubstr("--input has 3 numbers, expected 2"));
    EXPECT_EQ(contentOf(folder / "there.gif"), "mine");
    EXPECT_FALSE(std::filesystem::exists(folder / "film.gif"));
}

TEST(FilmCommand, AFullDiskExitsOneAndLeavesNoPartOfAFilm)
{
    const auto folder = freshFolder("full_film");
    for (const char* name : {"film.png", "film.gif", "series"}) {
        const Answer answer = callWithSmallFiles(
            "film " + quoted(finishedRun()) + " --view decision_map --frames 2 --to " + quoted(folder / name), 4096);
        EXPECT_EQ(answer.status, 1) << name;
        EXPECT_THAT(answer.error, HasSubstr("the file cannot be written (")) << name;
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder));
}

}   // namespace
