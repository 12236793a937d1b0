// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/wait_until.h"
#include "runs/run_bar.h"
#include "runs/run_status.h"
#include "study/presets.h"
#include "window_driver.h"

#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QStatusBar>
#include <QToolButton>

using namespace credence;

TEST(Run, TheWindowOpensOnAStudyAndShowsItsUntrainedPosterior)
{
    WindowDriver window;
    const auto& chart = window->panel("decision_map")->chart();
    EXPECT_EQ(chart.id, "decision_map");
    EXPECT_FALSE(chart.panels.empty());
    EXPECT_EQ(window->session().run().current().snapshot->point.step, 0);
    EXPECT_TRUE(window->panel("boxplots")->hasChart());
}

TEST(Run, OneClickTrainsToTheEndAndTheMapChanges)
{
    WindowDriver window;
    const auto before = data_table(window->panel("decision_map")->chart()).rows;
    ASSERT_TRUE(window.train(300));
    EXPECT_EQ(window->session().run().report->stop, StopReason::steps_done);
    EXPECT_EQ(window->session().run().current().snapshot->point.step, 300);
    EXPECT_NE(data_table(window->panel("decision_map")->chart()).rows, before);
    EXPECT_THAT(window.find<QLabel>("progressText")->text().toStdString(), testing::HasSubstr("step 300"));
}

TEST(Run, PicturesUpdateDuringTraining)
{
    WindowDriver window;
    window.setSteps(100000000);
    int pictures = 0;
    QObject::connect(&window->context().scheduler, &ViewScheduler::pictures, &window.window(), [&] { ++pictures; });
    window.clickAction("train");
    EXPECT_TRUE(window.waitFor([&] { return pictures >= 5; }));
    EXPECT_EQ(window->session().state(), Session::State::running);
    window.clickAction("stop");
    EXPECT_TRUE(window.waitForState(Session::State::ended));
}

TEST(Run, PauseStopsAtAStepAndStepMakesExactlyOne)
{
    WindowDriver window;
    window.setSteps(100000000);
    window.clickAction("train");
    ASSERT_TRUE(window.waitFor([&] { return window->session().run().current().snapshot->point.step > 5; }));
    window.clickAction("train");   // now labelled Pause
    ASSERT_EQ(window->session().state(), Session::State::paused);
    const auto step      = [&] { return window->session().run().current().snapshot->point.step; };
    const auto afterStep = [&] {
        const long before = step();
        window.clickAction("step");
        EXPECT_TRUE(window.waitFor([&] { return step() > before; }));
        return step();
    };
    // In a row: the first steps may have been reported before the pause. Without a pause there would
    // be thousands.
    int exactlyOne = 0;
    for (int clicks = 0; clicks < 50 && exactlyOne < 5; ++clicks) {
        const long before = step();
        exactlyOne        = afterStep() == before + 1 ? exactlyOne + 1 : 0;
    }
    EXPECT_EQ(exactlyOne, 5);
    window.clickAction("stop");
    EXPECT_TRUE(window.waitForState(Session::State::ended));
    EXPECT_EQ(window->session().run().report->stop, StopReason::cancelled);
}

TEST(Run, StepOnAnUntrainedStudyMakesTheFirstStep)
{
    WindowDriver window;
    QTest::keyClick(&window.window(), Qt::Key_F10);   // its button appears with the first step
    EXPECT_TRUE(window.waitFor([&] { return window->session().run().current().snapshot->point.step == 1; }));
    EXPECT_TRUE(window.waitFor(
        [&] { return window->findChild<RunBar*>()->buttonOf(window.find<QAction>("step"))->isVisible(); }));
    EXPECT_EQ(window->session().state(), Session::State::paused);
}

TEST(Run, RestartGivesTheSameNumbersAndANewSeedOthers)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(200));
    const auto first = *window->session().run().current().history->back().data_loss;
    window.clickAction("restart");
    ASSERT_TRUE(window.waitFor([&] { return window->context().runs.rowCount() == 2; }));
    EXPECT_EQ(*window->session().run().current().history->back().data_loss, first);
    window.clickAction("newSeed");
    ASSERT_TRUE(window.waitFor([&] { return window->context().runs.rowCount() == 3; }));
    EXPECT_NE(*window->session().run().current().history->back().data_loss, first);
}

TEST(Run, TheTimeMachineMovesAllViewsToARecordedStep)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(400));
    auto* slider = window.find<QSlider>("timeMachine");
    EXPECT_GT(slider->maximum(), 10);
    slider->setValue(0);
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_EQ(window->session().run().current().snapshot->point.step, 0);
    EXPECT_EQ(window->session().run().current().history->size(), 1U);
    EXPECT_THAT(window.find<QLabel>("shownStep")->text().toStdString(), testing::StartsWith("Step 0 of"));
    window.clickButton("newest");
    EXPECT_EQ(window->session().run().current().snapshot->point.step, 400);
}

TEST(Run, ANonFiniteLossIsLocatedAndTheLastGoodStepIsShown)
{
    WindowDriver window;
    Study study                           = preset("cubic");
    study.training.optimizer.kind         = OptimizerKind::sgd;
    study.training.schedule.learning_rate = 1000;
    study.training.steps                  = 2000;
    window->session().setStudy(study);
    window.clickAction("train");
    ASSERT_TRUE(window.waitForState(Session::State::ended));
    EXPECT_EQ(window->session().run().report->stop, StopReason::not_finite);
    EXPECT_THAT(window->message().toStdString(),
                testing::AllOf(testing::HasSubstr("step"), testing::HasSubstr("last good step")));
    EXPECT_LT(window->session().run().current().snapshot->point.step, 2000);
}

TEST(Run, EditsDuringARunApplyAtTheNextStart)
{
    WindowDriver window;
    window.setSteps(100000000);
    window.clickAction("train");
    ASSERT_TRUE(window.waitFor([&] { return window->session().run().current().snapshot->point.step > 0; }));
    const auto experiment = window->session().run().current().experiment;
    window.type("training.learning_rate/editor", "0.02");
    EXPECT_TRUE(window->session().changedSinceStart());
    EXPECT_EQ(window->session().run().current().experiment, experiment);
    EXPECT_EQ(window->session().state(), Session::State::running);
    window.clickAction("restart");
    EXPECT_TRUE(window.waitFor(
        [&] { return window->session().run().current().experiment->study.training.schedule.learning_rate == 0.02; }));
    window.clickAction("stop");
    EXPECT_TRUE(window.waitForState(Session::State::ended));
}

TEST(Run, AfterAnotherRunEveryViewShowsItOrThatItIsComputing)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(100));
    std::map<QString, long> shown;   // run of the picture in each view; -1: the view is computing
    QObject::connect(&window->context().scheduler, &ViewScheduler::pictures, &window.window(),
                     [&](const std::vector<ViewScheduler::Picture>& pictures) {
        for (const auto& picture : pictures)
            shown[picture.place] = picture.run;
    });
    QObject::connect(&window->context().scheduler, &ViewScheduler::waiting, &window.window(),
                     [&](const QString& place) { shown[place] = -1; });
    window.clickAction("restart");
    const long run = window->session().currentRun().number();
    ASSERT_TRUE(window.waitFor([&] { return window->session().state() == Session::State::ended; }));
    ASSERT_TRUE(window.waitForPictures());
    ASSERT_TRUE(shown.contains("decision_map"));
    for (const auto& [place, of] : shown)
        EXPECT_EQ(of, run) << place.toStdString();
}

TEST(SavingStatus, ShowsTheRunBeingWrittenAndAClickCancels)
{
    QStatusBar line;
    SavedRuns list(nullptr, 0.0);   // anything takes long
    showSaving(list.writer(), &line);
    auto* button = line.findChild<QPushButton*>(QStringLiteral("savingProgress"));
    ASSERT_TRUE(button);
    line.show();
    EXPECT_FALSE(button->isVisible());
    std::vector<std::string> words;
    QObject::connect(&list.writer(), &RunWriter::changed, &list, [&] {
        EXPECT_EQ(button->isVisible(), list.writer().saving().has_value());
        words.push_back(button->text().toStdString());
        button->click();
    });
    Study study           = default_study();
    const auto experiment = prepare(study);
    const auto start      = std::make_shared<Snapshot>();
    start->posterior      = experiment->start;
    list.add(experiment, {.name      = "slow",
                          .started   = "2026-01-01T10:00:00",
                          .study     = study,
                          .report    = {},
                          .history   = {},
                          .snapshots = {start, start, start}});
    ASSERT_TRUE(waitUntil([&] { return !words.empty() && !button->isVisible(); }, 30000));
    EXPECT_THAT(words[0], testing::StartsWith("Saving slow: "));
    EXPECT_THAT(words[0], testing::EndsWith(" · Cancel"));
}
