// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include <QPushButton>
#include <QTableView>

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
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_EQ(window->session().moment().snapshot->point.step, 150);
    EXPECT_EQ(window->session().moment().experiment->study.posterior.family, Family::mean_field);
    EXPECT_EQ(window.study().posterior.family, Family::layer_scale);   // the panel keeps its settings
    window->runs().setData(window->runs().index(0, KeptRuns::name), "my run", Qt::EditRole);
    EXPECT_EQ(window->runs().at(0)->run.name, "my run");
    window.clickButton("reopenStudy");
    EXPECT_EQ(window.study().posterior.family, Family::mean_field);
    window.clickButton("deleteRun");
    EXPECT_EQ(window->runs().rowCount(), 0);
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
    EXPECT_EQ(window->session().moment().snapshot->point.step, 120);
}
