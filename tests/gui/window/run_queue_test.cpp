// SPDX-License-Identifier: GPL-3.0-or-later
// Studies that wait for the run in training.
#include "runs/run_bar.h"
#include "session/saved_runs.h"
#include "window_driver.h"

#include <QAction>
#include <QFile>
#include <QFrame>
#include <QListWidget>
#include <QPushButton>
#include <QTemporaryDir>

#include <fstream>

using namespace credence;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

std::string trainLabel(WindowDriver& window)
{
    return window->findChild<RunBar*>()->trainAction()->text().remove('&').toStdString();
}

/// A run that does not end before `endSlowRun`.
void beginSlowRun(WindowDriver& window)
{
    window.setSteps(40);
    window->session().setStepsPerSecond(4);
    window.clickAction("train");
    ASSERT_TRUE(window.waitForState(Session::State::running));
}
void endSlowRun(WindowDriver& window) { window->session().setStepsPerSecond(0); }

void queueSeed(WindowDriver& window, std::uint64_t seed)
{
    Study study = window.study();
    study.seed  = seed;
    window->session().setStudy(study);
    ASSERT_EQ(trainLabel(window), "Queue");
    window.clickAction("train");
}

std::vector<std::uint64_t> seedsOfRuns(WindowDriver& window)   // in the order of their ends
{
    std::vector<std::uint64_t> seeds;
    const auto& runs = window->context().runs;
    for (int row = runs.rowCount() - 1; row >= 0; --row)
        seeds.push_back(runs.at(row)->run.study.seed);
    return seeds;
}

bool waitForRuns(WindowDriver& window, int count)
{
    return window.waitFor([&] {
        return window->context().runs.rowCount() == count && !window->session().active()
               && window->context().queue.waiting().empty();
    });
}

}   // namespace

TEST(RunQueue, TrainWithOtherSettingsQueuesTheStudyAndTrainsItAfterTheRun)
{
    WindowDriver window;
    beginSlowRun(window);
    EXPECT_EQ(trainLabel(window), "Pause");
    window.choose("posterior.family/editor", "point_estimate");
    EXPECT_EQ(trainLabel(window), "Queue");
    window.clickAction("train");
    auto* chip = window.find<QPushButton>("runQueue");
    EXPECT_TRUE(chip->isVisible());
    EXPECT_EQ(chip->text(), "Queued: 1 run");
    EXPECT_EQ(trainLabel(window), "Pause") << "it is queued once";
    EXPECT_EQ(window->session().state(), Session::State::running);
    endSlowRun(window);
    ASSERT_TRUE(waitForRuns(window, 2));
    EXPECT_FALSE(chip->isVisible());
    const auto& newest = *window->context().runs.at(0);
    EXPECT_EQ(newest.run.study.posterior.family, "point_estimate");
    EXPECT_TRUE(newest.isEndOf(window->session().run().newest)) << "the study under edit is displayed";
}

TEST(RunQueue, RunsAreReorderedRemovedAndTrainedFromTheTopInTheBackground)
{
    WindowDriver window;
    beginSlowRun(window);
    const auto first = window.study().seed;
    for (const std::uint64_t seed : {12, 13, 14})
        queueSeed(window, seed);
    Study edited = window.study();
    edited.seed  = 15;
    window->session().setStudy(edited);
    window.clickButton("runQueue");
    auto* list = window.find<QListWidget>("queueList");
    ASSERT_EQ(list->count(), 3);
    EXPECT_THAT(list->item(0)->text().toStdString(), HasSubstr("→ 12"));
    list->setCurrentRow(2);
    window.clickButton("queueUp");
    window.clickButton("queueUp");
    EXPECT_THAT(list->item(0)->text().toStdString(), HasSubstr("→ 14"));
    EXPECT_FALSE(window.find<QPushButton>("queueUp")->isEnabled());
    list->setCurrentRow(1);
    window.clickButton("queueRemove");
    ASSERT_EQ(list->count(), 2);
    ASSERT_TRUE(list->model()->moveRow({}, 0, {}, 2));   // as a drag to the end does
    EXPECT_EQ(window->context().queue.waiting().front().seed, 13U);
    list->window()->hide();
    endSlowRun(window);
    ASSERT_TRUE(waitForRuns(window, 3));
    EXPECT_THAT(seedsOfRuns(window), ElementsAre(first, 13U, 14U));
    EXPECT_EQ(window.study().seed, 15U);
    EXPECT_EQ(window->session().run().experiment->study.seed, first) << "the displayed run stays";
}

TEST(RunQueue, AnEditWhileAQueuedRunTrainsDisplaysTheStudyUnderEdit)
{
    WindowDriver window;
    beginSlowRun(window);
    queueSeed(window, 12);
    Study other = window.study();
    other.seed  = 20;
    window->session().setStudy(other);
    window.clickAction("stop");
    ASSERT_TRUE(window.waitFor([&] { return window->session().currentRun().trainsInBackground(); }));
    const auto training = [&] { return window->session().currentRun().training().experiment->study.seed; };
    EXPECT_EQ(training(), 12U);
    other.seed = 21;
    window->session().setStudy(other);
    EXPECT_TRUE(window.waitFor([&] { return window->session().run().experiment->study.seed == 21U; }));
    EXPECT_EQ(training(), 12U) << "it continues";
    EXPECT_EQ(trainLabel(window), "Queue");
    window.clickButton("trainingInBackground");
    EXPECT_EQ(window->session().run().experiment->study.seed, 12U);
    endSlowRun(window);
    ASSERT_TRUE(window.waitForState(Session::State::ended));
    EXPECT_EQ(window->context().runs.at(0)->run.report.steps, 40);
}

TEST(RunQueue, ARunThatCannotStartIsReportedAndTheNextOneTrains)
{
    WindowDriver window;
    const QTemporaryDir folder;
    const QString file = folder.filePath("line.csv");
    {
        std::ofstream rows(file.toStdString());
        for (int i = 0; i < 60; ++i)
            rows << i << ',' << 0.5 * i + i % 7 * 0.01 << '\n';
    }
    beginSlowRun(window);
    const Study toy   = window.study();
    Study table       = toy;
    table.name        = "line";
    table.data.source = DataSource::csv;
    table.data.file   = file.toStdString();
    window->session().setStudy(table);
    ASSERT_TRUE(window.waitFor([&] { return window->session().ready().experiment() != nullptr; }));
    window.clickAction("train");
    window->session().setStudy(toy);
    queueSeed(window, 13);
    ASSERT_EQ(window->context().queue.waiting().size(), 2U);
    ASSERT_TRUE(QFile::remove(file));
    endSlowRun(window);
    ASSERT_TRUE(waitForRuns(window, 2));
    EXPECT_TRUE(window->message().startsWith("line was not trained: ")) << window->message().toStdString();
    EXPECT_EQ(window->context().runs.at(0)->run.study.seed, 13U);
}

TEST(RunQueue, QuittingNamesTheQueuedRunsAndClosingTrainsNone)
{
    WindowDriver window;
    beginSlowRun(window);
    ASSERT_TRUE(window.waitFor([&] { return window->session().run().newest->point.step >= 1; }));
    queueSeed(window, 12);
    EXPECT_THAT(window->context().unfinished.sentences().join('\n').toStdString(),
                HasSubstr("1 run is queued and will be discarded."));
    queueSeed(window, 13);
    EXPECT_THAT(window->context().unfinished.sentences().join('\n').toStdString(),
                HasSubstr("2 runs are queued and will be discarded."));
    window->close();
    window.clickButton("stopAndQuit");
    ASSERT_TRUE(window.waitFor([&] { return !window->isVisible(); }));
    const auto& runs = window->context().runs;
    ASSERT_TRUE(window.waitFor([&] { return runs.rowCount() == 1 && runs.at(0)->canContinue; }))
        << "the end of the run has arrived";
    EXPECT_FALSE(window->session().active());
    EXPECT_TRUE(window->context().queue.waiting().empty());
}
