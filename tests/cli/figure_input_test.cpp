// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/program.h"
#include "study/study.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sys/stat.h>

// The input of `credence figure` if it is not a test row.
namespace {

using namespace credence;
using testing::HasSubstr;

/// A short run on four of ten stroke digits: the other six are out of distribution.
const std::filesystem::path& digitsRun()
{
    static const auto folder = [] {
        const auto made = freshFolder("four_digits");
        Study study;
        study.name                        = "Four digits";
        study.data.source                 = DataSource::strokes;
        study.data.images.training_images = 60;
        study.data.images.test_images     = 40;
        study.data.images.only_classes    = {0, 1, 2, 3};
        study.network.hidden              = {8};
        study.training.steps              = 20;
        study.prediction.samples          = 10;
        std::ofstream(made / "digits.json") << to_text(study);
        const Answer answer = call("run " + quoted(made / "digits.json") + " --no-figures --out "
                                   + quoted(made / "run"));
        EXPECT_EQ(answer.status, 0) << answer.error;
        return made / "run";
    }();
    return folder;
}

/// A dark square on a light page, as a PGM.
std::filesystem::path page(const std::filesystem::path& folder)
{
    std::string pixels(20 * 20, '\xff');
    for (std::size_t y = 8; y < 12; ++y)
        for (std::size_t x = 8; x < 12; ++x)
            pixels[20 * y + x] = '\0';
    std::ofstream(folder / "dot.pgm", std::ios::binary) << "P5\n20 20\n255\n" << pixels;
    return folder / "dot.pgm";
}

Answer drawBoxplots(const std::string& options, const std::filesystem::path& to)
{
    return call("figure " + quoted(digitsRun()) + " --view boxplots " + options + " --to " + quoted(to));
}

}   // namespace

TEST(FigureInput, CanBeAPictureFile)
{
    const auto folder = freshFolder("picture");
    const auto dot    = page(folder);
    const auto draw   = [&](const std::string& options) {
        const Answer answer = drawBoxplots(options, folder / "boxes.tex");
        EXPECT_EQ(answer.status, 0) << answer.error;
        return contentOf(folder / "boxes.tex");
    };
    const auto usual = draw("--picture " + quoted(dot));
    EXPECT_THAT(usual, HasSubstr("Input: picture dot.pgm, inverted."));
    EXPECT_EQ(draw("--picture " + quoted(dot) + " --invert yes"), usual);
    const auto light = draw("--picture " + quoted(dot) + " --invert no");
    EXPECT_THAT(light, HasSubstr("Input: picture dot.pgm."));
    EXPECT_NE(light, usual);
    EXPECT_NE(draw("--row 0"), usual);
}

TEST(FigureInput, CanBeAnOodRow)
{
    const auto folder = freshFolder("ood_row");
    const auto draw   = [&](const std::string& options) {
        const Answer answer = drawBoxplots(options, folder / "boxes.tex");
        EXPECT_EQ(answer.status, 0) << answer.error;
        return contentOf(folder / "boxes.tex");
    };
    const auto first = draw("--ood-row 0");
    EXPECT_THAT(first, HasSubstr("Input: image 0 of other classes of "));
    EXPECT_NE(draw("--ood-row 1"), first);
    EXPECT_EQ(draw("--foreign-row 0"), first) << "its name in earlier versions";
    const Answer beyond = drawBoxplots("--ood-row 1000", folder / "no.csv");
    EXPECT_EQ(beyond.status, 2);
    EXPECT_THAT(beyond.error, HasSubstr("Row 1000 was requested, but other classes of "));
}

TEST(FigureInput, OptionsAreExclusiveAndABadPictureGivesOneSentence)
{
    const auto folder = freshFolder("bad_picture");
    const auto dot    = quoted(page(folder));
    for (const auto& options :
         {"--picture " + dot + " --row 1", "--picture " + dot + " --ood-row 1", "--picture " + dot + " --foreign-row 1",
          std::string("--ood-row 1 --row 1"), std::string("--invert yes")})
        EXPECT_EQ(drawBoxplots(options, folder / "no.csv").status, 2) << options;
    std::ofstream(folder / "bad.png") << "<html>";
    const Answer bad = drawBoxplots("--picture " + quoted(folder / "bad.png"), folder / "no.csv");
    EXPECT_EQ(bad.status, 2);
    EXPECT_THAT(bad.error, HasSubstr("bad.png: cannot be read as an image ("));
    const Answer none = drawBoxplots("--picture " + quoted(folder / "none.png"), folder / "no.csv");
    EXPECT_EQ(none.status, 2);
    EXPECT_THAT(none.error, HasSubstr("none.png: cannot be read as an image ("));
    ASSERT_EQ(::mkfifo((folder / "pipe.png").c_str(), 0600), 0);
    const Answer pipe = drawBoxplots("--picture " + quoted(folder / "pipe.png"), folder / "no.csv");
    EXPECT_EQ(pipe.status, 2);
    EXPECT_THAT(pipe.error, HasSubstr("pipe.png: cannot be read as an image (it is not a regular file)."));
    std::ofstream(folder / "text.svg")
        << R"(<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><text y="7">a</text></svg>)";
    const Answer drawing = drawBoxplots("--picture " + quoted(folder / "text.svg"), folder / "no.csv");
    EXPECT_EQ(drawing.status, 2) << "rejected, not aborted";
    EXPECT_THAT(drawing.error,
                HasSubstr("text.svg: cannot be read as an image (it is an SVG drawing; convert it to PNG)."));
    EXPECT_FALSE(std::filesystem::exists(folder / "no.csv"));
}
