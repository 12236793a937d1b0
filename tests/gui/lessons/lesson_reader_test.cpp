// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lesson.h"

#include "foundation/error.h"
#include "foundation/files.h"

#include <gmock/gmock.h>

#include <string>

namespace credence {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = LessonAction::Kind;

// 6 lines
const std::string head = "---\ntitle: Moons\nminutes: 3\nabout: Where a network is uncertain.\n---\n## First\n";

/// The reader's error for the text; empty: none.
std::string mistake_in(const std::string& text)
{
    try {
        read_lesson(text, "moons.md");
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

std::string mistake_of_do(const std::string& line) { return mistake_in(head + "```do\n" + line + "\n```\n"); }

std::string mistake_of_question(const std::string& lines)
{
    return mistake_in(head + "```question\n" + lines + "\n```\n");
}

LessonQuestion question_of(const std::string& lines)
{
    return *read_lesson(head + "```question\n" + lines + "\n```\n", "moons.md").steps.at(0).question;
}

}   // namespace

TEST(LessonReader, ReadsEachPartOfALesson)
{
    const Lesson lesson = read_lesson(
        "\xEF\xBB\xBF---\r\ntitle: Moons: a lesson\r\nminutes: 2.5\r\nabout: Where a network is "
        "uncertain.\r\norder: 7\r\n---\r\n\r\n"
        "## First\r\nSome *text*.\r\n```do\r\npreset two_moons_mean_field\r\n\r\n  set training.steps   "
        "300\r\ntrain\r\nview decision_map\r\ninput 0.5 -1e-1\r\ninput test 17\r\npoint 1 2 1\r\n"
        "tool simplex\r\npress restart\r\nchoose mapQuantity Predictive entropy\r\nvalue timeMachine "
        "3\r\nwait\r\n```\r\n"
        "```highlight\r\ntrain\r\ndecision_map\r\n```\r\n```text\r\n## no step\r\n```\r\nMore.\r\n## Second\r\n",
        "moons.md");
    EXPECT_EQ(lesson.title, "Moons: a lesson");
    EXPECT_EQ(lesson.minutes, 2.5);
    EXPECT_EQ(lesson.about, "Where a network is uncertain.");
    EXPECT_EQ(lesson.order, 7);
    ASSERT_EQ(lesson.steps.size(), 2U);
    const auto& step = lesson.steps[0];
    EXPECT_EQ(step.text, "Some *text*.\n```text\n## no step\n```\nMore.\n");
    std::vector<Kind> kinds;
    for (const auto& action : step.actions)
        kinds.push_back(action.kind);
    EXPECT_THAT(kinds, ElementsAre(Kind::preset, Kind::set, Kind::train, Kind::view, Kind::input, Kind::row,
                                   Kind::point, Kind::tool, Kind::press, Kind::choose, Kind::value, Kind::wait));
    EXPECT_EQ(step.actions[1].name, "training.steps");
    EXPECT_EQ(step.actions[1].text, "300");
    EXPECT_EQ(step.actions[1].line, 13);
    EXPECT_THAT(step.actions[4].numbers, ElementsAre(0.5, -0.1));
    EXPECT_THAT(step.actions[5].numbers, ElementsAre(17));
    EXPECT_EQ(step.actions[9].text, "Predictive entropy");
    ASSERT_EQ(step.highlights.size(), 2U);
    EXPECT_EQ(step.highlights[1].name, "decision_map");
    EXPECT_FALSE(step.question);
    EXPECT_EQ(lesson.steps[1].title, "Second");
}

TEST(LessonReader, ReadsEachKindOfAnswer)
{
    const auto number = question_of("How many?\nReally?\nanswer: 0.5 ± 0.1\nhint: Look\n  again.\nbecause: So it is.");
    EXPECT_EQ(number.text, "How many?\nReally?");
    EXPECT_EQ(number.hint, "Look again.");
    EXPECT_EQ(number.because, "So it is.");
    const auto& half = std::get<LessonNumber>(number.answer);
    EXPECT_TRUE(fits_answer(half, half.value, 0.6));
    EXPECT_FALSE(fits_answer(half, half.value, 0.61));

    const auto share = std::get<LessonNumber>(question_of("τ?\nanswer: block.1.tau +- 10 %\nhint: x").answer);
    EXPECT_EQ(share.name, "block.1.tau");
    EXPECT_TRUE(fits_answer(share, 2.0, 2.2));
    EXPECT_FALSE(fits_answer(share, 2.0, 2.21));

    const auto choices = std::get<std::vector<LessonChoice>>(
        question_of("Which?\n- [x] this\n- [ ] that\nhint: x").answer);
    ASSERT_EQ(choices.size(), 2U);
    EXPECT_TRUE(choices[0].right && !choices[1].right);

    const auto all = std::get<std::vector<LessonCondition>>(
        question_of("Do.\ncheck: run.step >= 300 and study.posterior.family = mean_field\nhint: x").answer);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_TRUE(fulfils(all[0], "300"));
    EXPECT_FALSE(fulfils(all[0], "299"));
    EXPECT_FALSE(fulfils(all[0], "many"));
    EXPECT_TRUE(fulfils(all[1], "Mean_field"));
    EXPECT_FALSE(fulfils(all[1], "laplace"));
}

TEST(LessonReader, RejectsEachMistakeWithOneSentenceAndItsLine)
{
    EXPECT_EQ(mistake_in(""), "moons.md, line 1: expected a line --- before the header with title, minutes and about.");
    EXPECT_THAT(mistake_in("---\ntitle: x\n"), HasSubstr("line 1: found no second line ---"));
    EXPECT_THAT(mistake_in("---\ntitle: x\nminutes: 1\n---\n## a\n"),
                HasSubstr("expected \"about: One sentence on it\""));
    EXPECT_THAT(mistake_in("---\nminutes: soon\n---\n"), HasSubstr("line 2: found \"soon\""));
    EXPECT_THAT(mistake_in("---\nminutes: 0\n---\n"), HasSubstr("line 2: found 0 minutes"));
    EXPECT_THAT(mistake_in("---\nname: x\n---\n"), HasSubstr("line 2: found \"name: x\""));
    EXPECT_THAT(mistake_in("---\ntitle: x\nminutes: 1\nabout: y\n---\nText\n## a\n"),
                HasSubstr("line 6: found \"Text\" before the first step"));
    EXPECT_THAT(mistake_in("---\ntitle: x\nminutes: 1\nabout: y\n---\n"), HasSubstr("found no step"));
    EXPECT_THAT(mistake_in(head + "```do\ntrain\n"), HasSubstr("line 7: found no line ```"));
    EXPECT_THAT(mistake_in(head + "```do\n\n```\n"), HasSubstr("line 7: found an empty block do"));
    EXPECT_THAT(mistake_in(head + "```do\ntrain\n```\n```do\ntrain\n```\n"),
                HasSubstr("line 10: found a second block do"));

    EXPECT_THAT(mistake_of_do("trian"),
                HasSubstr("moons.md, line 8: found \"trian\", expected one of preset, set, train"));
    EXPECT_THAT(mistake_of_do("trian"), HasSubstr("did you mean train?"));
    EXPECT_THAT(mistake_of_do("preset two_moon"), HasSubstr("line 8: There is no preset \"two_moon\""));
    EXPECT_THAT(mistake_of_do("set training.stepps 300"), HasSubstr("line 8: There is no setting \"training.stepps\""));
    EXPECT_THAT(mistake_of_do("set training.steps many"), HasSubstr("line 8: "));
    EXPECT_THAT(mistake_of_do("set training.steps -5"), HasSubstr("line 8: "));
    EXPECT_THAT(mistake_of_do("set training.steps"), HasSubstr("expected \"set training.steps 300\""));
    EXPECT_THAT(mistake_of_do("view decision"), HasSubstr("line 8: "));
    EXPECT_THAT(mistake_of_do("input here"), HasSubstr("expected \"input 0.5 0.2\""));
    EXPECT_THAT(mistake_of_do("input test 1.5"), HasSubstr("an integer from 0"));
    EXPECT_THAT(mistake_of_do("point 1"), HasSubstr("expected \"point 0.5 0.2 1\""));
    EXPECT_THAT(mistake_of_do("tool hammer"), HasSubstr("expected one of the tool pages predictions, simplex"));
    EXPECT_THAT(mistake_of_do("press"), HasSubstr("expected \"press restart\""));
    EXPECT_THAT(mistake_of_do("train now"), HasSubstr("expected \"train\" alone"));

    EXPECT_THAT(mistake_of_question("answer: 3\nhint: x"), HasSubstr("line 7: found no words in the question"));
    EXPECT_THAT(mistake_of_question("How?\nhint: x"), HasSubstr("line 7: found no answer"));
    EXPECT_THAT(mistake_of_question("How?\nanswer: 3"), HasSubstr("line 7: found no hint"));
    EXPECT_THAT(mistake_of_question("How?\nanswer: 3\ncheck: points > 1\nhint: x"), HasSubstr("more than one answer"));
    EXPECT_THAT(mistake_of_question("How?\n- [x] so\nhint: x"), HasSubstr("found only right answers"));
    EXPECT_THAT(mistake_of_question("How?\n- [x] so\n- [ ]\nhint: x"), HasSubstr("found an answer without words"));
    EXPECT_THAT(mistake_of_question("How?\nanswer: much\nhint: x"), HasSubstr("line 9: found \"much\""));
    EXPECT_THAT(mistake_of_question("How?\nanswer: 3 ± some\nhint: x"), HasSubstr("line 9: found \"3 ± some\""));
    EXPECT_THAT(mistake_of_question("How?\ncheck: run.stpe > 3\nhint: x"), HasSubstr("line 9: found \"run.stpe\""));
    EXPECT_THAT(mistake_of_question("How?\ncheck: run.step > far\nhint: x"), HasSubstr("expected a number after >"));
    EXPECT_THAT(mistake_of_question("How?\ncheck: run.step\nhint: x"), HasSubstr("expected a condition"));
}

TEST(LessonReader, NamesOfTheStateAreLookedUp)
{
    EXPECT_THAT(lesson_name_parts("study.training.steps"), ElementsAre("study", "training.steps"));
    EXPECT_THAT(lesson_name_parts("control.training.steps/line"), ElementsAre("control", "training.steps/line"));
    EXPECT_THAT(lesson_name_parts("table.boxplots.1.median"), ElementsAre("table", "boxplots", "1", "median"));
    EXPECT_THAT(lesson_name_parts("input.2"), ElementsAre("input", "2"));
    for (const auto* wrong : {"study.training.stepps", "block.0.tau", "block.1.size", "input.K", "study.PATH",
                              "table.no_view.1.x", "control.", "", "run", "table.boxplots.1."})
        EXPECT_THROW(lesson_name_parts(wrong), Error) << wrong;
}

TEST(LessonReader, ThePageForLecturersNamesEverything)
{
    const auto page = read_file(CREDENCE_LESSONS_PAGE, "a page");
    for (const auto& word : lesson_actions())
        EXPECT_THAT(page, HasSubstr("| `" + word)) << word;
    for (const auto& name : lesson_names())
        EXPECT_THAT(page, HasSubstr("| `" + name.name + "` |"));
    for (const auto& tool : lesson_tools())
        EXPECT_THAT(page, HasSubstr("`" + tool.id + "`"));
    // and the complete lesson that it shows is valid
    const auto from  = page.find("````markdown\n") + 13;
    const auto shown = page.substr(from, page.find("\n````\n", from) - from);
    EXPECT_EQ(read_lesson(shown, "lessons.md").steps.size(), 2U);
}

}   // namespace credence
