// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>

#include <fstream>

using namespace credence;

namespace {

void tick(WindowDriver& window, int row)
{
    window->runs().setData(window->runs().index(row, KeptRuns::name), Qt::Checked, Qt::CheckStateRole);
}

}  // namespace

TEST(KeptRuns, EveryRunThatEndsStandsInTheTableWithWhatDiffers)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(200));
    window.choose("posterior.family/editor", "point_estimate");
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    ASSERT_TRUE(window.train(200));
    ASSERT_EQ(window->runs().rowCount(), 2);
    const auto text = [&](int row, int column) { return window->runs().data(window->runs().index(row, column), Qt::DisplayRole).toString().toStdString(); };
    EXPECT_EQ(text(0, KeptRuns::steps), "200");
    EXPECT_THAT(text(0, KeptRuns::score), testing::HasSubstr("%"));
    EXPECT_EQ(text(0, KeptRuns::differs), "");
    EXPECT_THAT(text(1, KeptRuns::differs), testing::HasSubstr("Posterior"));
}

TEST(KeptRuns, TwoTickedRunsAreComparedOnOneScale)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(200));
    window.choose("posterior.family/editor", "point_estimate");
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    ASSERT_TRUE(window.train(200));
    EXPECT_FALSE(window.find<QPushButton>("compareRuns")->isEnabled());
    tick(window, 0);
    tick(window, 1);
    ASSERT_TRUE(window.waitForPictures());
    const auto& curves = window->panel("training_curves")->chart();
    EXPECT_FALSE(curves.panels.empty());
    window.clickButton("compareRuns");
    ASSERT_TRUE(window.waitForPictures());
    const auto& maps = window->panel("compare_decision_maps")->chart();
    ASSERT_EQ(maps.panels.size(), 2U) << maps.message;
    const auto scale = [](const Panel& panel) { return std::get<HeatMap>(panel.series.front()).z_range; };
    EXPECT_EQ(scale(maps.panels[0]), scale(maps.panels[1]));
    EXPECT_NE(maps.panels[0].title, maps.panels[1].title);
    EXPECT_TRUE(window->panel("compare_decision_maps")->isVisible());
    window.clickButton("endComparison");
    EXPECT_FALSE(window->panel("compare_decision_maps")->isVisible());
}

TEST(KeptRuns, AKeptRunIsShownRenamedAndDeleted)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(150));
    window.choose("posterior.family/editor", "layer_scale");
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    EXPECT_EQ(window->session().moment().snapshot->point.step, 0);
    auto* table = window.find<QTableView>("runsTable");
    table->selectRow(0);
    window.clickButton("showRun");
    ASSERT_TRUE(window.waitFor([&] { return window->session().moment().snapshot->point.step == 150; }));
    EXPECT_EQ(window->session().moment().experiment->study.posterior.family, Family::mean_field);
    EXPECT_EQ(window.study().posterior.family, Family::layer_scale);   // the panel keeps its settings
    window->runs().setData(window->runs().index(0, KeptRuns::name), "my run", Qt::EditRole);
    EXPECT_EQ(window->runs().at(0)->run.name, "my run");
    window.clickButton("reopenStudy");
    EXPECT_EQ(window.study().posterior.family, Family::mean_field);
    window.clickButton("deleteRun");
    EXPECT_EQ(window->runs().rowCount(), 0);
}

TEST(KeptRuns, TheStudyOfARunOnShowCanBeTakenOverAndTheRunStaysOnShow)
{
    WindowDriver window;
    auto* other = window.find<QWidget>("otherStudy");
    ASSERT_TRUE(window.train(150));
    EXPECT_TRUE(other->isHidden());
    window.choose("posterior.family/editor", "layer_scale");
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    EXPECT_TRUE(other->isHidden()) << "nothing is trained";
    window.find<QTableView>("runsTable")->selectRow(0);
    window.clickButton("showRun");
    ASSERT_TRUE(window.waitFor([&] { return window->session().moment().snapshot->point.step == 150; }));
    EXPECT_FALSE(other->isHidden());
    window.clickButton("takeOverStudy");
    EXPECT_EQ(window.study().posterior.family, Family::mean_field);
    ASSERT_TRUE(window.waitForState(Session::State::ended));
    EXPECT_EQ(window->session().moment().snapshot->point.step, 150);
    EXPECT_TRUE(other->isHidden());
    window->undoStack().undo();
    EXPECT_EQ(window.study().posterior.family, Family::layer_scale);
}

TEST(KeptRuns, RunsComeBackWhenTheWindowOpensAgain)
{
    {
        WindowDriver window;
        ASSERT_TRUE(window.train(120));
    }
    WindowDriver window(WindowDriver::Runs::keep);
    ASSERT_TRUE(window.waitFor([&] { return window->runs().rowCount() == 1; }));
    EXPECT_EQ(window->runs().at(0)->run.report.steps, 120);
    auto* table = window.find<QTableView>("runsTable");
    table->selectRow(0);
    window.clickButton("showRun");
    EXPECT_TRUE(window.waitFor([&] { return window->session().moment().snapshot->point.step == 120; }));
}

TEST(KeptRuns, ARegressionIsScoredByItsErrorWhereverItsDataComeFrom)
{
    WindowDriver window;
    const QTemporaryDir folder;
    const std::string file = folder.filePath("line.csv").toStdString();
    {
        std::ofstream rows(file);
        for (int i = 0; i < 60; ++i)
            rows << i << ',' << 1000 + 0.5 * i + i % 7 * 0.01 << '\n';
    }
    Study table       = window.study();
    table.data.source = DataSource::csv;
    table.data.file   = file;
    Study drawn       = window.study();
    drawn.data.source     = DataSource::drawn;
    drawn.data.drawn_task = Task::regression;
    for (int i = 0; i < 20; ++i)
        drawn.data.points.push_back({0.1 * i, 0.05 * i * i, 0});
    const auto score = [&] { return window->runs().data(window->runs().index(0, KeptRuns::score), Qt::DisplayRole).toString().toStdString(); };
    for (const Study& study : {table, drawn}) {
        window->session().setStudy(study);
        ASSERT_TRUE(window.waitForState(Session::State::ready)) << window->message().toStdString();
        ASSERT_TRUE(window.train(100));
        EXPECT_THAT(score(), testing::StartsWith("RMSE "));
    }
    // Read back from its file, the run of the table still knows what it had to learn.
    const KeptRunEntry again(window->runs().at(1)->run, nullptr, {});
    EXPECT_EQ(again.task(), Task::regression);
    ASSERT_EQ(again.run.study.data.csv.task, std::nullopt);
}

TEST(KeptRuns, ARenamedRunStandsUnderItsNameInTheComparison)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(100));
    window.clickAction("restart");
    ASSERT_TRUE(window.waitFor([&] { return window->runs().rowCount() == 2; }));
    window->runs().setData(window->runs().index(0, KeptRuns::name), "the second", Qt::EditRole);
    tick(window, 0);
    tick(window, 1);
    window.clickButton("compareRuns");
    ASSERT_TRUE(window.waitForPictures());
    const auto& maps = window->panel("compare_decision_maps")->chart();
    ASSERT_EQ(maps.panels.size(), 2U) << maps.message;
    EXPECT_EQ(maps.panels[0].title, "the second");
    EXPECT_EQ(maps.panels[1].title, window.study().name);
}
