// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that are stopped, by button or by quitting, and continue.
#include "window_driver.h"

#include "parts/sheet.h"
#include "session/checkpoint_slot.h"
#include "session/settings.h"

#include "foundation/build_info.h"
#include "runs/run_with_checkpoints.h"
#include "study/presets.h"

#include <QAbstractButton>
#include <QAction>
#include <QDir>
#include <QLabel>
#include <QPushButton>
#include <QTableView>

using namespace credence;

namespace {

constexpr long steps = 90;

Study shortStudy()
{
    Study study          = preset("two_moons_mean_field");
    study.training.steps = steps;
    return study;
}

/// Trains the short Study slowly until it has made some steps, far from its end.
void beginSlowly(WindowDriver& window)
{
    window->session().setStudy(shortStudy());
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    window->session().setStepsPerSecond(4);
    window.clickAction("train");
    ASSERT_TRUE(window.waitFor([&] { return window->session().run().newest->point.step >= 2; }));
    ASSERT_EQ(window->session().state(), Session::State::running);
}

void expectUndisturbed(const DisplayedRun& run)
{
    const SavedRun whole = recorded_run(*prepare(shortStudy()));
    ASSERT_EQ(run.history.size(), whole.history.size());
    for (std::size_t i = 0; i < whole.history.size(); ++i) {
        EXPECT_EQ(run.history[i].step, whole.history[i].step);
        EXPECT_EQ(run.history[i].data_loss, whole.history[i].data_loss);
        EXPECT_EQ(run.history[i].test_error, whole.history[i].test_error);
    }
    EXPECT_EQ(run.recorded().size(), whole.snapshots.size());
    const auto numbers = run.newest->posterior->numbers(), expected = whole.report.last->posterior->numbers();
    EXPECT_TRUE(std::ranges::equal(numbers, expected));
}

QString trainText(WindowDriver& window) { return window.find<QAction>("train")->text().remove('&'); }

bool waitForTrainingEnd(WindowDriver& window)
{
    return window.waitFor([&] {
        return window->session().state() == Session::State::ended && window->session().run().report->steps == steps;
    });
}

/// Presses Ctrl+Q and the button of this name in the question that appears.
void quit(WindowDriver& window, const QString& button)
{
    window->activateWindow();
    QTest::keyClick(&window.window(), Qt::Key_Q, Qt::ControlModifier);
    ASSERT_TRUE(window->isVisible());
    auto* question = window->findChild<Sheet*>("quitQuestion");
    ASSERT_NE(question, nullptr);
    EXPECT_THAT(question->details().toStdString(),
                testing::MatchesRegex("Two moons, mean field is in training: step [0-9]+ of 90\\."));
    window.clickButton(button);
}

}   // namespace

TEST(StoppedRuns, ContinueAfterStopGivesTheSameRun)
{
    WindowDriver window;
    beginSlowly(window);
    window.clickAction("stop");
    EXPECT_EQ(window->session().state(), Session::State::ended);
    ASSERT_EQ(window->context().runs.rowCount(), 1);
    ASSERT_TRUE(window.waitFor([&] { return trainText(window) == "Continue"; }));
    EXPECT_TRUE(window.waitFor([&] { return window.find<QLabel>("runState")->text() == "Run stopped"; }));
    const QString file = window->context().runs.at(0)->file;
    window->context().runs.setData(window->context().runs.index(0, SavedRuns::name), "my run", Qt::EditRole);
    window->session().setStepsPerSecond(0);
    QTest::keyClick(&window.window(), Qt::Key_F5);
    ASSERT_TRUE(waitForTrainingEnd(window));
    expectUndisturbed(window->session().run());
    EXPECT_EQ(window.find<QLabel>("runState")->text(), "Run finished");
    ASSERT_EQ(window->context().runs.rowCount(), 1) << "it is the same run";
    const auto& entry = *window->context().runs.at(0);
    EXPECT_EQ(entry.run.report.steps, steps);
    EXPECT_EQ(entry.run.name, "my run");
    EXPECT_EQ(entry.file, file);
    EXPECT_FALSE(entry.canContinue);
    EXPECT_TRUE(window.waitFor([&] { return load_run_summary(file.toStdString()).report.steps == steps; }));
    EXPECT_TRUE(window.waitFor([] { return QDir(runsInProgressFolder()).isEmpty(); }));
}

TEST(StoppedRuns, CtrlQDuringTrainingAsksAndASavedRunContinuesAtTheNextStart)
{
    {
        WindowDriver window;
        beginSlowly(window);
        quit(window, "stopAndQuit");
        EXPECT_FALSE(window->isVisible());
    }
    WindowDriver window(WindowDriver::Runs::keep);
    window->restoreSession();
    ASSERT_TRUE(window.waitFor([&] { return trainText(window) == "Continue"; }));
    EXPECT_EQ(window->message(), "") << "there is nothing to ask";
    EXPECT_LT(window->session().run().report->steps, steps);
    window.clickAction("train");
    ASSERT_TRUE(waitForTrainingEnd(window));
    expectUndisturbed(window->session().run());
    EXPECT_EQ(window->context().runs.rowCount(), 1);
}

TEST(StoppedRuns, DiscardWhenQuittingLeavesNothing)
{
    {
        WindowDriver window;
        beginSlowly(window);
        quit(window, "discardAndQuit");
        EXPECT_FALSE(window->isVisible());
    }
    EXPECT_TRUE(QDir(runsFolder()).entryList({"*.credence"}).isEmpty());
    EXPECT_TRUE(QDir(runsInProgressFolder()).isEmpty());
}

TEST(StoppedRuns, TheQuitQuestionFollowsTheTraining)
{
    {
        WindowDriver window;
        beginSlowly(window);
        QTest::keyClick(&window.window(), Qt::Key_Q, Qt::ControlModifier);
        auto* question = window->findChild<Sheet*>("quitQuestion");
        ASSERT_NE(question, nullptr);
        window->session().setStepsPerSecond(0);
        ASSERT_TRUE(window.waitFor([&] { return question->text() == "Quit now?"; }));
        EXPECT_EQ(question->details(), "The work has finished. Nothing is lost.");
        EXPECT_TRUE(window.find<QPushButton>("discardAndQuit")->isHidden());
        window.clickButton("stopAndQuit");
        EXPECT_FALSE(window->isVisible());
    }
    EXPECT_EQ(QDir(runsFolder()).entryList({"*.credence"}).size(), 1) << "saved by now";
}

TEST(StoppedRuns, BackReturnsToTheWindowAndTrainingContinues)
{
    WindowDriver window;
    beginSlowly(window);
    QTest::keyClick(&window.window(), Qt::Key_Q, Qt::ControlModifier);
    auto* question = window->findChild<Sheet*>("quitQuestion");
    ASSERT_NE(question, nullptr);
    QTest::keyClick(question, Qt::Key_Escape);
    EXPECT_TRUE(window->isVisible());
    const long before = window->session().run().newest->point.step;
    EXPECT_TRUE(window.waitFor([&] { return window->session().run().newest->point.step > before; }));
    EXPECT_EQ(window->session().state(), Session::State::running);
    window.clickAction("stop");
}

TEST(StoppedRuns, AStoppedRunContinuesFromTheTableWithAnyOpenStudy)
{
    WindowDriver window;
    beginSlowly(window);
    window.clickAction("stop");
    window->session().setStepsPerSecond(0);
    Study other            = shortStudy();
    other.posterior.family = "point_estimate";
    window->session().setStudy(other);
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    EXPECT_EQ(trainText(window), "Train");
    window.openRunsTable()->selectRow(0);
    auto* button = window.find<QPushButton>("continueRun");
    ASSERT_TRUE(window.waitFor([&] { return button->isVisible(); }));
    window.clickButton("continueRun");
    ASSERT_TRUE(waitForTrainingEnd(window));
    EXPECT_EQ(window.study().posterior.family, "mean_field") << "panel and displayed run belong together";
    expectUndisturbed(window->session().run());
    EXPECT_FALSE(button->isVisible());
    EXPECT_EQ(window->context().runs.rowCount(), 1);
}

TEST(StoppedRuns, ADeletedRunThatWasStoppedContinuesAfterUndo)
{
    WindowDriver window;
    beginSlowly(window);
    window.clickAction("stop");
    ASSERT_TRUE(window.waitFor([&] { return window->context().runs.at(0)->canContinue; }));
    const auto entry = window->context().runs.at(0);
    ASSERT_TRUE(window.waitFor([&] { return QFileInfo::exists(entry->file); }));
    window.openRunsTable()->selectRow(0);
    window.clickButton("deleteRun");
    window.answer("confirmDelete");
    ASSERT_TRUE(
        window.waitFor([&] { return !QFileInfo::exists(entry->file) && !CheckpointSlot::hasState(entry->place()); }));
    EXPECT_FALSE(CheckpointSlot::interrupted()) << "it is not offered at the next start";
    window->context().document.undo().undo();
    ASSERT_TRUE(window.waitFor([&] { return CheckpointSlot::hasState(entry->place()); }));
    window->session().setStepsPerSecond(0);
    window.openRunsTable()->selectRow(0);
    window.clickButton("continueRun");
    ASSERT_TRUE(waitForTrainingEnd(window));
    expectUndisturbed(window->session().run());
}

namespace {

/// Deletes the first run of the table, and answers the question.
void deleteFirstRun(WindowDriver& window)
{
    window.openRunsTable()->selectRow(0);
    window.clickButton("deleteRun");
    window.answer("confirmDelete");
}

/// Stops a slow run as soon as its file and its state are written.
std::shared_ptr<SavedRunEntry> stoppedRun(WindowDriver& window)
{
    beginSlowly(window);
    window.clickAction("stop");
    EXPECT_TRUE(window.waitFor([&] { return window->context().runs.at(0)->canContinue; }));
    auto entry = window->context().runs.at(0);
    EXPECT_TRUE(window.waitFor([&] { return QFileInfo::exists(entry->file); }));
    return entry;
}

}   // namespace

TEST(StoppedRuns, AfterItsRunWasDeletedTrainStartsAgainInAnotherFolder)
{
    WindowDriver window;
    const auto deleted = stoppedRun(window);
    deleteFirstRun(window);
    ASSERT_TRUE(window.waitFor([&] { return !CheckpointSlot::hasState(deleted->place()); }));
    EXPECT_EQ(trainText(window), "Train") << "there is nothing to continue";
    EXPECT_EQ(window.find<QLabel>("runState")->text(), "Run stopped");
    window.clickAction("train");
    ASSERT_TRUE(window.waitFor([&] { return window->session().run().newest->point.step >= 1; }));
    window.clickAction("stop");
    ASSERT_TRUE(window.waitFor([&] { return trainText(window) == "Continue"; }));
    auto& runs        = window->context().runs;
    const auto second = runs.at(0);
    EXPECT_NE(second->place(), deleted->place());

    window->context().document.undo().undo();
    ASSERT_TRUE(window.waitFor([&] { return CheckpointSlot::hasState(deleted->place()); }));
    ASSERT_EQ(runs.rowCount(), 2);
    EXPECT_TRUE(second->canContinue && deleted->canContinue) << "each has its own state";
    window->session().setStepsPerSecond(0);
    window.clickAction("train");
    ASSERT_TRUE(waitForTrainingEnd(window));
    expectUndisturbed(window->session().run());
    EXPECT_EQ(runs.rowCount(), 2);
    EXPECT_TRUE(deleted->canContinue);
}

TEST(StoppedRuns, ARunWithoutItsCheckpointStatesThisAndTrainsOnRequest)
{
    WindowDriver window;
    const auto stopped = stoppedRun(window);
    ASSERT_TRUE(QDir(runsInProgressFolder() + '/' + stopped->place()).removeRecursively());
    window.clickAction("train");
    ASSERT_TRUE(window.waitFor([&] { return window->message().contains("its checkpoint is missing"); }));
    EXPECT_EQ(window->session().state(), Session::State::ended);
    EXPECT_EQ(trainText(window), "Train");
    window->session().setStepsPerSecond(0);
    window.clickAction("train");
    ASSERT_TRUE(waitForTrainingEnd(window));
    EXPECT_TRUE(window.waitFor([&] { return window->context().runs.rowCount() == 2; })) << "the stopped run stays";
}

TEST(StoppedRuns, ACheckpointThatCannotContinueIsLeftAsItIs)
{
    WindowDriver window;
    const auto stopped = stoppedRun(window);
    const QString path = runsInProgressFolder() + '/' + stopped->place() + "/run.credence-progress";
    QFile state(path);
    ASSERT_TRUE(state.open(QIODevice::WriteOnly));
    state.write("no checkpoint");
    state.close();
    window->session().setStepsPerSecond(0);
    window->session().train();   // as lessons do, which ask nothing
    ASSERT_TRUE(waitForTrainingEnd(window));
    expectUndisturbed(window->session().run());
    ASSERT_TRUE(window.waitFor([&] { return window->context().runs.rowCount() == 2; }));
    EXPECT_NE(window->context().runs.at(0)->place(), stopped->place());
    EXPECT_EQ(QFileInfo(path).size(), 13) << "it belongs to the stopped run";
}

TEST(StoppedRuns, ARunThatIsContinuedIsNotDeleted)
{
    WindowDriver window;
    stoppedRun(window);
    window.clickAction("train");
    ASSERT_TRUE(window.waitForState(Session::State::running));
    window.openRunsTable()->selectRow(0);
    window.clickButton("deleteRun");
    EXPECT_EQ(window->message(), "Not deleted: Two moons, mean field is in training. Stop it first.");
    EXPECT_EQ(window->context().runs.rowCount(), 1);
    window.clickAction("stop");
    EXPECT_TRUE(window.waitFor([&] { return trainText(window) == "Continue"; }));
}

TEST(StoppedRuns, F5OnACompleteRunTrainsNothingAndOffersAlternatives)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(60));
    QTest::keyClick(&window.window(), Qt::Key_F5);
    EXPECT_EQ(window->session().state(), Session::State::ended);
    EXPECT_EQ(window->message(),
              "This run is complete. The same Study with the same seed would give the same numbers again.");
    const auto seed = window.study().seed;
    window.clickButton("offer0");   // New seed
    ASSERT_TRUE(window.waitFor([&] { return window->context().runs.rowCount() == 2; }));
    EXPECT_NE(window.study().seed, seed);
    QTest::keyClick(&window.window(), Qt::Key_F5);
    EXPECT_EQ(window.find<QAbstractButton>("offer1")->text(), "Train twice as long");
    window.clickButton("offer1");
    ASSERT_TRUE(window.waitFor([&] { return window->context().runs.rowCount() == 3; }));
    EXPECT_EQ(window->context().runs.at(0)->run.report.steps, 120);
    window.clickAction("restart");   // explicitly asks for the same numbers
    EXPECT_TRUE(window.waitFor([&] { return window->context().runs.rowCount() == 4; }));
}

namespace {

/// Stops a run that claims to be of another build, and continues it by this action.
void stopAndContinueByAnotherBuild(WindowDriver& window, const QString& action)
{
    set_commit("aaaaaaaaaaaa");
    beginSlowly(window);
    window.clickAction("stop");
    ASSERT_TRUE(window.waitFor([&] { return trainText(window) == "Continue"; }));
    set_commit("");
    window->session().setStepsPerSecond(0);
    window.clickAction(action);
    ASSERT_TRUE(window.waitFor([&] { return !window->message().isEmpty(); }));
    EXPECT_THAT(window->message().toStdString(), testing::StartsWith("Another build started Two moons, mean field: "));
    EXPECT_THAT(window->message().toStdString(), testing::HasSubstr("commit aaaaaaaaaaaa"));
    EXPECT_EQ(window->session().state(), Session::State::ended) << "nothing starts before the answer";
    QStringList answers;
    for (int i = 0; i < 3; ++i)
        answers += window.find<QAbstractButton>(QStringLiteral("offer%1").arg(i))->text();
    EXPECT_EQ(answers, QStringList({"Continue anyway", "Start again", "Cancel"}));
}

}   // namespace

TEST(StoppedRuns, ContinuingARunOfAnotherBuildAsksFirst)
{
    WindowDriver window;
    stopAndContinueByAnotherBuild(window, "train");
    const long stoppedAt = window->session().run().report->steps;
    window.clickButton("offer2");   // Cancel
    EXPECT_EQ(window->message(), QString());
    EXPECT_EQ(window->session().run().report->steps, stoppedAt);
    EXPECT_EQ(trainText(window), "Continue");
    window.clickAction("train");
    ASSERT_TRUE(window.waitFor([&] { return !window->message().isEmpty(); }));
    window.clickButton("offer0");   // Continue anyway
    ASSERT_TRUE(waitForTrainingEnd(window));
    expectUndisturbed(window->session().run());
    EXPECT_EQ(window->context().runs.rowCount(), 1);
}

TEST(StoppedRuns, StartAgainLeavesTheStoppedRunInTheList)
{
    WindowDriver window;
    stopAndContinueByAnotherBuild(window, "train");
    window.clickButton("offer1");
    ASSERT_TRUE(waitForTrainingEnd(window));
    expectUndisturbed(window->session().run());
    ASSERT_TRUE(window->session().run().provenance);
    EXPECT_TRUE(window->session().run().provenance->earlier_builds.empty());
    EXPECT_TRUE(window.waitFor([&] { return window->context().runs.rowCount() == 2; }));
}

TEST(StoppedRuns, WithoutAQuestionARunOfAnotherBuildStartsAgain)   // lessons, links and papers do not ask
{
    WindowDriver window;
    set_commit("aaaaaaaaaaaa");
    beginSlowly(window);
    window.clickAction("stop");
    ASSERT_TRUE(window.waitFor([&] { return trainText(window) == "Continue"; }));
    set_commit("");
    window->session().setStepsPerSecond(0);
    window->session().train();
    ASSERT_TRUE(waitForTrainingEnd(window));
    expectUndisturbed(window->session().run());
    ASSERT_TRUE(window->session().run().provenance);
    EXPECT_TRUE(window->session().run().provenance->earlier_builds.empty());
    EXPECT_TRUE(window.waitFor([&] { return window->context().runs.rowCount() == 2; }));
}

TEST(StoppedRuns, StepAsksWhatTrainAsks)
{
    WindowDriver window;
    stopAndContinueByAnotherBuild(window, "step");
    const long stoppedAt = window->session().run().report->steps;
    window.clickButton("offer0");
    ASSERT_TRUE(window.waitForState(Session::State::paused));
    ASSERT_TRUE(window.waitFor([&] { return window->session().run().newest->point.step > stoppedAt; }));
    EXPECT_EQ(window->session().state(), Session::State::paused);
    EXPECT_LT(window->session().run().newest->point.step, steps);
    window.clickAction("train");
    ASSERT_TRUE(waitForTrainingEnd(window));
    expectUndisturbed(window->session().run());
}

TEST(StoppedRuns, StepOnACompleteRunTrainsNoDuplicate)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(60));
    const long number = window->session().currentRun().number();
    QTest::keyClick(&window.window(), Qt::Key_F10);
    EXPECT_EQ(window->session().state(), Session::State::ended);
    EXPECT_EQ(window->session().currentRun().number(), number);
    EXPECT_EQ(window->message(),
              "This run is complete. The same Study with the same seed would give the same numbers again.");
}
