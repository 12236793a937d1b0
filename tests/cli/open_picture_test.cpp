// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/finished_run.h"

#include "results/picture_link.h"

#include <gmock/gmock.h>

// `credence open` of files for the window. Without a display it gets as far as opening the window.
namespace {

using ::testing::HasSubstr;

constexpr const char* noDisplay = "No display found";

void expectSentence(const std::string& arguments, const std::string& words)
{
    const Answer answer = call("open " + arguments);
    EXPECT_EQ(answer.status, 2) << arguments;
    EXPECT_THAT(answer.error, HasSubstr(words)) << arguments;
    EXPECT_EQ(answer.out, "") << arguments;
}

TEST(OpenPicture, StudiesRunsAndLinksOpenTheWindow)
{
    const auto folder = freshFolder("open_picture");
    expectSentence("xor", noDisplay);
    expectSentence("--view boxplots --step 100 --input 0.5,-0.25 xor", noDisplay);
    expectSentence("--row 3 " + quoted(finishedRun()), noDisplay);
    expectSentence("--view weights " + quoted(finishedRun() / "run.credence"), noDisplay);
    expectSentence(quoted(finishedRun() / "study.json"), noDisplay);
    credence::PictureLink link;
    link.run  = finishedRun() / "run.credence";
    link.view = "boxplots";
    save_picture_link(link, folder / "slide.credence-link");
    expectSentence(quoted(folder / "slide.credence-link"), noDisplay);
    save_picture_link(link, folder / "slide.json");   // recognised by its content
    expectSentence(quoted(folder / "slide.json"), noDisplay);
}

TEST(OpenPicture, ErrorsAreReportedBeforeTheWindowOpens)
{
    const auto folder = freshFolder("open_picture_bad");
    expectSentence("--view boxes xor", "There is no view \"boxes\"");
    expectSentence("--step -3 xor", "--step");
    expectSentence("--quantity doubt xor", "--quantity is \"doubt\", expected one of class_probability, ");
    expectSentence("--input 1,x xor", "--input");
    expectSentence("--input 1,2 --row 3 xor", "--row");
    expectSentence("no_such_preset", "There is no preset \"no_such_preset\"");
    expectSentence("--view boxplots " + quoted(folder / "none.credence"),
                   "no such file; expected a saved Credence run");
    expectSentence("--view boxplots " + quoted(folder / "none.npz"),
                   "no such file; expected a saved Credence run or predictions");
    expectSentence(quoted(folder / "none.credence-link"), "none.credence-link");
    expectSentence("--out " + quoted(folder / "out") + " xor", "--out is for scores of imported predictions, but xor");
    expectSentence("--no-figures --view boxplots own.npz", "--no-figures is for scores");
    EXPECT_FALSE(std::filesystem::exists(folder / "out"));
    credence::PictureLink gone;
    gone.run = folder / "gone.credence";
    save_picture_link(gone, folder / "slide.credence-link");
    expectSentence(quoted(folder / "slide.credence-link"), "gone.credence does not exist; expected it or a Study");
}

}   // namespace
