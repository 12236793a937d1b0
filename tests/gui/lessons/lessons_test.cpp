// SPDX-License-Identifier: GPL-3.0-or-later
// Lessons in the real window: every included one is completed with Show me and the right answers.
#include "gui/settle.h"
#include "gui/window/window_driver.h"

#include "lessons/lesson_guide.h"
#include "lessons/lesson_panel.h"
#include "parts/rail.h"
#include "parts/window_part.h"
#include "parts/workbench.h"
#include "shell/lecture_mode.h"

#include "foundation/number_text.h"

#include <QAbstractButton>
#include <QDir>
#include <QLineEdit>
#include <QListWidget>
#include <QTemporaryDir>
#include <QTextBrowser>

#include <fstream>

using namespace credence;

using ::testing::HasSubstr;

namespace {

constexpr int longest = 120000;   ///< milliseconds: a test that waits this long has failed

/// Goes through a lesson like a user.
class Walker {
public:
    explicit Walker(WindowDriver& window) : m_window(window), m_guide(*window->findChild<LessonGuide*>())
    {
        m_guide.player().setPause(0);
    }
    LessonGuide& guide() { return m_guide; }
    std::string notice() const { return m_guide.panel()->notice().toStdString(); }
    std::string verdict() { return m_guide.panel()->question().verdict().toStdString(); }
    const LessonStep& step() const { return m_guide.lesson()->steps.at(m_guide.step()); }

    void showMe()
    {
        m_window.clickButton(QStringLiteral("lessonShow"));
        EXPECT_TRUE(m_window.waitFor([&] { return !m_guide.player().playing(); }, longest)) << step().title;
        EXPECT_TRUE(m_window.waitForPictures()) << step().title;
    }

    /// First a wrong answer, if possible, which shows the hint; then the right one.
    void answer()
    {
        const auto& question = *step().question;
        std::visit([this](const auto& answer) { giveWrong(answer); }, question.answer);
        std::visit([this](const auto& answer) { giveRight(answer); }, question.answer);
        EXPECT_TRUE(m_guide.panel()->question().answered()) << step().title << ": " << verdict();
        EXPECT_THAT(verdict(), HasSubstr(question.because)) << step().title;
    }

    /// Checks a condition before it is fulfilled.
    void checkTooEarly()
    {
        const auto* conditions = std::get_if<std::vector<LessonCondition>>(&step().question->answer);
        if (!conditions || m_guide.state().fulfils(*conditions))
            return;
        m_window.clickButton(QStringLiteral("lessonCheck"));
        expectHint();
    }

private:
    void expectHint()
    {
        EXPECT_FALSE(m_guide.panel()->question().answered()) << step().title;
        EXPECT_THAT(verdict(), HasSubstr(step().question->hint)) << step().title;
    }
    double rightOf(const LessonNumber& asked)
    {
        const auto right = asked.name.empty() ? std::optional(asked.value) : m_guide.state().number(asked.name);
        EXPECT_TRUE(right) << step().title << ": " << asked.name << " is not known";
        return right.value_or(0);
    }
    void type(double number)
    {
        m_window.type(QStringLiteral("lessonAnswer"), QString::fromStdString(plain_text(number)));
    }
    void giveWrong(const LessonNumber& asked)
    {
        type(3 * rightOf(asked) + 10 + 2 * asked.tolerance);
        expectHint();
    }
    void giveRight(const LessonNumber& asked) { type(rightOf(asked)); }
    void tick(const std::vector<LessonChoice>& choices, bool right)
    {
        for (std::size_t i = 0; i < choices.size(); ++i) {
            auto* button = m_window.find<QAbstractButton>(QStringLiteral("lessonChoice%1").arg(i));
            if ((choices[i].right == right) != button->isChecked()
                && (choices[i].right == right || !button->autoExclusive()))
                button->click();
        }
        m_window.clickButton(QStringLiteral("lessonCheck"));
    }
    void giveWrong(const std::vector<LessonChoice>& choices)
    {
        tick(choices, false);
        expectHint();
    }
    void giveRight(const std::vector<LessonChoice>& choices) { tick(choices, true); }
    void giveWrong(const std::vector<LessonCondition>&) {}   // it is already fulfilled: see checkTooEarly
    void giveRight(const std::vector<LessonCondition>&) { m_window.clickButton(QStringLiteral("lessonCheck")); }

    WindowDriver& m_window;
    LessonGuide& m_guide;
};

QString written(const QTemporaryDir& folder, const QString& name, const std::string& steps)
{
    QString file = folder.filePath(name);
    std::ofstream(file.toStdString()) << "---\ntitle: A lesson of my own\nminutes: 1\nabout: Tries things out.\n---\n"
                                      << steps;
    return file;
}

}   // namespace

/// Every third lesson, so that no test takes too long.
class LessonsOfTheProgram : public ::testing::TestWithParam<int> {};

TEST_P(LessonsOfTheProgram, CanBeCompletedInTheWindow)
{
    WindowDriver window;
    Walker walker(window);
    auto& guide      = walker.guide();
    const auto files = QDir(QStringLiteral(CREDENCE_LESSONS)).entryList({QStringLiteral("*.md")}, QDir::Files);
    ASSERT_GE(files.size(), 11);
    for (int i = GetParam(); i < files.size(); i += 3) {
        const QString& file = files[i];
        SCOPED_TRACE(file.toStdString());
        EXPECT_TRUE(QFile::exists(QStringLiteral(":/lessons/") + file)) << "not listed in app/app.qrc";
        ASSERT_TRUE(guide.open(QStringLiteral(CREDENCE_LESSONS) + QLatin1Char('/') + file)) << walker.notice();
        ASSERT_NE(guide.lesson(), nullptr);
        const auto steps = guide.lesson()->steps.size();
        for (std::size_t at = 0; at < steps; ++at) {
            ASSERT_EQ(guide.step(), at);
            const auto& step = walker.step();
            EXPECT_EQ(walker.notice(), "");
            EXPECT_THAT(window.find<QTextBrowser>("lessonText")->toPlainText().toStdString(), HasSubstr(step.title));
            if (step.question)
                walker.checkTooEarly();
            if (!step.actions.empty())
                walker.showMe();
            EXPECT_EQ(walker.notice(), "") << step.title;
            const bool outlined = window.waitFor([&] { return guide.frames().visible() > 0; },
                                                 step.highlights.empty() ? 0 : 3000);
            EXPECT_EQ(outlined, !step.highlights.empty()) << step.title << ": the outlined control is not visible";
            if (step.question)
                walker.answer();
            window.clickButton(QStringLiteral("lessonNext"));
        }
        EXPECT_EQ(guide.lesson(), nullptr);   // the list again
        EXPECT_EQ(guide.frames().visible(), 0);
    }
    EXPECT_EQ(window.find<QListWidget>("lessonList")->count(), files.size());
}

INSTANTIATE_TEST_SUITE_P(Lessons, LessonsOfTheProgram, ::testing::Range(0, 3));

TEST(Lessons, BackCloseAndTheSpaceBarOfALecture)
{
    WindowDriver window;
    Walker walker(window);
    auto& guide      = walker.guide();
    auto* learn      = window.find<QAbstractButton>("workspace/learn");
    const auto& rail = window->workbench().rail();
    EXPECT_FALSE(rail.isOpen("learn"));
    EXPECT_EQ(learn->accessibleName(), "Learn");
    window.find<QAction>("lessonsAction")->trigger();
    ASSERT_TRUE(window.isOpen("lessonDock"));
    EXPECT_TRUE(rail.isOpen("learn"));
    EXPECT_EQ(learn->accessibleName(), "Learn (the lesson panel is open)");
    EXPECT_FALSE(learn->isChecked()) << "only the displayed workspace is current";
    EXPECT_TRUE(window.find<QAbstractButton>("workspace/explore")->isChecked());
    auto* list = window.find<QListWidget>("lessonList");
    ASSERT_GT(list->count(), 0);
    const auto spoken = list->item(0)->data(Qt::AccessibleTextRole).toString().toStdString();
    EXPECT_THAT(spoken, HasSubstr("What a posterior over weights is, 6 min, "));
    for (const int width : {180, 420, 240}) {
        list->setFixedWidth(width);
        EXPECT_TRUE(window.waitFor(
            [&] { return list->visualItemRect(list->item(1)).height() == list->sizeHintForRow(1); }, 3000))
            << "the rows do not fit a width of " << width;
    }
    EXPECT_EQ(window->focusWidget(), list) << "only the keyboard starts a lesson";
    QTest::keyClick(list, Qt::Key_Return);
    ASSERT_NE(guide.lesson(), nullptr);
    EXPECT_EQ(window->focusWidget(), window.find<QAbstractButton>("lessonShow"));
    EXPECT_FALSE(window.find<QAbstractButton>("lessonBack")->isEnabled());
    EXPECT_TRUE(window.waitFor([&] { return guide.frames().visible() == 1; }, 3000));

    // Next and Back
    window.clickButton(QStringLiteral("lessonNext"));
    EXPECT_EQ(guide.step(), 1U);
    window.clickButton(QStringLiteral("lessonBack"));
    EXPECT_EQ(guide.step(), 0U);

    // the Space bar first scrolls to the end of the step, then goes to the next one
    const auto space = [&] { Q_EMIT window.find<LectureMode>("lecture")->lessonStepWanted(); };
    space();
    EXPECT_TRUE(guide.player().playing());
    space();   // too early
    ASSERT_TRUE(window.waitFor([&] { return !guide.player().playing(); }, longest));
    EXPECT_EQ(guide.step(), 0U);
    EXPECT_EQ(window.study().training.steps, 1000);
    EXPECT_EQ(window->session().state(), Session::State::ended);
    space();
    EXPECT_EQ(guide.step(), 1U);

    // closed during Show me: nothing is outlined and nothing continues; reopened, the step is there
    window.clickButton(QStringLiteral("lessonShow"));
    EXPECT_TRUE(guide.player().playing());
    window.setOpen("lessonDock", false);
    EXPECT_FALSE(guide.player().playing());
    EXPECT_EQ(guide.frames().visible(), 0);
    EXPECT_FALSE(rail.isOpen("learn"));
    EXPECT_EQ(learn->accessibleName(), "Learn");
    window->workbench().part("lessonDock")->toggle()->trigger();
    EXPECT_EQ(guide.step(), 1U);
    EXPECT_TRUE(window.waitFor([&] { return guide.frames().visible() == 1; }, 3000));

    // stopped by its own button
    window.clickButton(QStringLiteral("lessonShow"));
    window.clickButton(QStringLiteral("lessonShow"));
    EXPECT_FALSE(guide.player().playing());
    EXPECT_EQ(window.find<QAbstractButton>("lessonShow")->text(), QStringLiteral("Show me"));

    // all of it fits a small window
    window->resize(1024, 700);
    settle();
    EXPECT_LE(window->width(), 1024);
    EXPECT_LE(window->height(), 700);
    EXPECT_TRUE(window.find<QAbstractButton>("lessonNext")->isVisible());
    EXPECT_TRUE(window.waitForPictures());
}

TEST(Lessons, ImpossibleActionsGiveOneSentenceWithTheLine)
{
    WindowDriver window;
    Walker walker(window);
    auto& guide = walker.guide();
    const QTemporaryDir folder;

    const std::pair<std::string, std::string> cases[] = {
        {"press noSuchButton", "there is no control named “noSuchButton”."},
        {"press stop", "the control “stop” is disabled."},
        {"press mapQuantity", "the control “mapQuantity” is not a button."},
        {"choose mapQuantity Weather", "the list “mapQuantity” has no line “Weather”."},
        {"choose runsTable Weather", "the list “runsTable” has no line “Weather”."},
        {"press studyDock:noSuchButton", "there is no control named “studyDock:noSuchButton”."},
        {"choose inputTabs Weather", "“inputTabs” currently has no view “Weather”."},
        {"value inputRow 100000", "found “100000” for the control “inputRow”, expected a number from 0 to "},
        {"input test 100000", "there is no row 100,000, the last one is "},
        {"input 1 2 3", "found 3 numbers, but an input of this run has 2."},
        {"view regression_band", "cannot be shown: "},
    };
    std::string steps;
    for (const auto& [line, words] : cases)
        steps += "## Step\n```do\n" + line + "\n```\n";
    ASSERT_TRUE(guide.open(written(folder, QStringLiteral("wrong.md"), steps))) << walker.notice();
    int line = 8;
    for (const auto& [what, words] : cases) {
        walker.showMe();
        EXPECT_THAT(walker.notice(), HasSubstr("wrong.md, line " + std::to_string(line) + ": ")) << what;
        EXPECT_THAT(walker.notice(), HasSubstr(words)) << what;
        window.clickButton(QStringLiteral("lessonNext"));
        line += 4;
    }

    // a missing control to outline is reported as soon as the step is shown; the rest of the lesson
    // continues
    window->openFile(
        written(folder, QStringLiteral("mine.md"),
                "## One\n```highlight\nnoSuchDock\nmapQuantity\n```\n```question\nHow many?\nanswer: block.1.tau\n"
                "hint: Train it.\n```\n## Two\nEnd.\n"));
    ASSERT_NE(guide.lesson(), nullptr);
    EXPECT_EQ(walker.notice(), "mine.md, line 8: there is no control named “noSuchDock”.");
    EXPECT_TRUE(window.waitFor([&] { return guide.frames().visible() == 1; }, 3000));
    window.type(QStringLiteral("lessonAnswer"), QStringLiteral("a few"));
    EXPECT_THAT(walker.verdict(), HasSubstr("Type a number"));
    window.type(QStringLiteral("lessonAnswer"), QStringLiteral("1"));   // mean field has no τ
    EXPECT_THAT(walker.verdict(), HasSubstr("is not available yet"));

    // a file with an error: one sentence, and the open lesson stays
    EXPECT_FALSE(guide.open(written(folder, QStringLiteral("broken.md"), "## One\n```do\ntrian\n```\n")));
    EXPECT_THAT(walker.notice(), HasSubstr("broken.md, line 8: found \"trian\", expected one of preset"));
    ASSERT_NE(guide.lesson(), nullptr);
    EXPECT_EQ(guide.lesson()->steps.size(), 2U);
    EXPECT_FALSE(guide.open(folder.filePath(QStringLiteral("nowhere.md"))));
    EXPECT_THAT(walker.notice(), HasSubstr("nowhere.md"));
}

TEST(Lessons, TheFormerNameOfTheStopButtonStillWorks)
{
    WindowDriver window;
    Walker walker(window);
    window.setSteps(1000000);
    const QTemporaryDir folder;
    ASSERT_TRUE(
        walker.guide().open(written(folder, QStringLiteral("old.md"),
                                    "## Step\n```highlight\ncancel\n```\n```do\npress train\npress cancel\n```\n")));
    EXPECT_EQ(walker.notice(), "");
    walker.showMe();
    EXPECT_EQ(walker.notice(), "");
    ASSERT_TRUE(window.waitForState(Session::State::ended));
    EXPECT_EQ(window->session().run().report->stop, StopReason::cancelled);
}
