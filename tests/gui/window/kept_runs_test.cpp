// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include "docks/training_dock.h"
#include "parts/view_panel.h"
#include "study/presets.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QPushButton>
#include <QSlider>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>

#include <fstream>

using namespace credence;

namespace {

void tick(WindowDriver& window, int row)
{
    window->workspace().runs.setData(window->workspace().runs.index(row, KeptRuns::name), Qt::Checked,
                                     Qt::CheckStateRole);
}

}   // namespace

TEST(KeptRuns, EveryRunThatEndsStandsInTheTableWithWhatDiffers)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(200));
    window.choose("posterior.family/editor", "point_estimate");
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    ASSERT_TRUE(window.train(200));
    ASSERT_EQ(window->workspace().runs.rowCount(), 2);
    const auto text = [&](int row, int column) {
        return window->workspace()
            .runs.data(window->workspace().runs.index(row, column), Qt::DisplayRole)
            .toString()
            .toStdString();
    };
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
    auto* errors = window->panel("overlay_training_curves");
    window->findChild<TrainingDock*>()->setCurrentWidget(errors);
    ASSERT_TRUE(window.waitFor([&] {   // of each run on training and on test set
        return errors->hasChart() && !errors->chart().panels.empty() && errors->chart().panels[0].series.size() == 4U;
    }));
    window.find<QComboBox>("curveQuantity")->setCurrentIndex(1);
    window.find<QCheckBox>("curveLogarithmic")->click();
    ASSERT_TRUE(window.waitFor([&] { return errors->chart().panels.at(0).y.logarithmic; }));
    EXPECT_EQ(errors->chart().panels[0].y.label, "Data loss per example");
    EXPECT_EQ(errors->chart().panels[0].series.size(), 2U);
    auto* roc  = window->panel("roc");
    auto* tabs = roc->parentWidget();
    while (tabs && !qobject_cast<QTabWidget*>(tabs))
        tabs = tabs->parentWidget();
    ASSERT_TRUE(tabs);
    qobject_cast<QTabWidget*>(tabs)->setCurrentWidget(roc);
    ASSERT_TRUE(window.waitFor([&] { return roc->hasChart() && roc->chart().id == "overlay_roc"; }));
    EXPECT_EQ(roc->chart().table->rows.size(), 2U);   // the mean curve of each
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
    EXPECT_EQ(window->session().run().moment().snapshot->point.step, 0);
    auto* table = window.find<QTableView>("runsTable");
    table->selectRow(0);
    window.clickButton("showRun");
    ASSERT_TRUE(window.waitFor([&] { return window->session().run().moment().snapshot->point.step == 150; }));
    EXPECT_EQ(window->session().run().moment().experiment->study.posterior.family, "mean_field");
    EXPECT_EQ(window.study().posterior.family, "layer_scale");   // the panel keeps its settings
    window->workspace().runs.setData(window->workspace().runs.index(0, KeptRuns::name), "my run", Qt::EditRole);
    EXPECT_EQ(window->workspace().runs.at(0)->run.name, "my run");
    window.clickButton("reopenStudy");
    EXPECT_EQ(window.study().posterior.family, "mean_field");
    window.clickButton("deleteRun");
    window.clickButton("offer0");
    EXPECT_EQ(window->workspace().runs.rowCount(), 0);
}

TEST(KeptRuns, WhatIsSaidOfTheRunOnShowGoesWithIt)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(60));
    window.choose("posterior.family/editor", "layer_scale");
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    window.find<QTableView>("runsTable")->selectRow(0);
    window.clickButton("showRun");
    const auto said = [&] { return window->statusBar()->currentMessage().toStdString(); };
    ASSERT_TRUE(window.waitFor([&] { return said().starts_with("On show: "); }));
    const long kept = window->session().onShow().number();
    window.clickAction("train");   // that of the Study panel
    ASSERT_TRUE(window.waitFor([&] { return window->session().onShow().number() != kept; }));
    EXPECT_EQ(said(), "");
}

TEST(KeptRuns, DeletingAsksAndUndoBringsBackTheRunAndItsFile)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(120));
    const QString file = window->workspace().runs.at(0)->file;
    ASSERT_TRUE(window.waitFor([&] { return QFileInfo::exists(file); }));
    window.find<QTableView>("runsTable")->selectRow(0);
    window.clickButton("deleteRun");
    EXPECT_EQ(window->message(), "Delete the run Two moons, mean field? Its file goes to the trash.");
    window.clickButton("offer1");   // keep
    EXPECT_EQ(window->workspace().runs.rowCount(), 1);
    EXPECT_TRUE(QFileInfo::exists(file));
    window.clickButton("deleteRun");
    window.clickButton("offer0");
    EXPECT_EQ(window->workspace().runs.rowCount(), 0);
    EXPECT_TRUE(window.waitFor([&] { return !QFileInfo::exists(file); }));
    EXPECT_EQ(window->workspace().undo.undoText(), "Delete run Two moons, mean field");
    window->workspace().undo.undo();
    EXPECT_EQ(window->workspace().runs.rowCount(), 1);
    EXPECT_TRUE(window.waitFor([&] { return QFileInfo::exists(file); }));
    EXPECT_TRUE(window->message().isEmpty()) << "nothing is left to undo";
    EXPECT_EQ(load_run(file.toStdString()).report.steps, 120);
}

TEST(KeptRuns, WhereThereIsNoTrashTheRunStaysAndTheWindowSaysSo)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(60));
    const QString file = window->workspace().runs.at(0)->file;
    ASSERT_TRUE(window.waitFor([&] { return QFileInfo::exists(file); }));
    const QString trash = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + "/Trash";
    QDir(trash).removeRecursively();
    QFile blocked(trash);   // a file in the place of the folder
    ASSERT_TRUE(blocked.open(QIODevice::WriteOnly));
    window.find<QTableView>("runsTable")->selectRow(0);
    window.clickButton("deleteRun");
    window.clickButton("offer0");
    window.waitFor(
        [&] { return window->message().contains("cannot be moved to the trash") || !QFileInfo::exists(file); });
    if (!QFileInfo::exists(file))
        GTEST_SKIP() << "the temporary files stand on a volume with a trash of its own";
    EXPECT_EQ(
        window->message(),
        QStringLiteral("The run Two moons, mean field stays: its file %1 cannot be moved to the trash.").arg(file));
    EXPECT_EQ(window->workspace().runs.rowCount(), 1);
    EXPECT_TRUE(QFileInfo::exists(file));
    window.clickButton("offer0");   // for good
    EXPECT_EQ(window->workspace().runs.rowCount(), 0);
    EXPECT_TRUE(window.waitFor([&] { return !QFileInfo::exists(file); }));
    blocked.remove();
}

TEST(KeptRuns, ARunFromElsewhereOnlyLeavesTheListAndStandsInItOnce)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(60));
    const QString own = window->workspace().runs.at(0)->file;
    ASSERT_TRUE(window.waitFor([&] { return QFileInfo::exists(own); }));
    const QString beside = QFileInfo(own).absolutePath() + "-2025";   // begins like the folder of the runs
    ASSERT_TRUE(QDir().mkpath(beside));
    const QString file = beside + "/mine.credence";
    QFile::remove(file);
    ASSERT_TRUE(QFile::copy(own, file));
    window->openFile(file);
    ASSERT_TRUE(window.waitFor([&] { return window->workspace().runs.rowCount() == 2; }));
    window->openFile(file);
    QTest::qWait(300);
    EXPECT_EQ(window->workspace().runs.rowCount(), 2);
    window->workspace().runs.removeRun(0);
    EXPECT_EQ(window->workspace().runs.rowCount(), 1);
    QTest::qWait(200);
    EXPECT_TRUE(QFileInfo::exists(file));
}

TEST(KeptRuns, TheComparisonTakesClicksAndShowsTheBoxplotsOfAllItsRuns)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(100));
    window.clickAction("restart");
    ASSERT_TRUE(window.waitFor([&] { return window->workspace().runs.rowCount() == 2; }));
    tick(window, 0);
    tick(window, 1);
    window.clickButton("compareRuns");
    ASSERT_TRUE(window.waitForPictures());
    auto* view      = window->panel("compare_decision_maps")->chartView();
    const QPoint at = view->positionOf(1, 1.0, 0.5).toPoint();
    auto* target    = view->childAt(at);
    QTest::mouseClick(target, Qt::LeftButton, {}, target->mapFrom(view, at));
    ASSERT_TRUE(window.waitForPictures());
    ASSERT_EQ(window->workspace().requests.chosen().input.size(), 2U);
    EXPECT_NEAR(window->workspace().requests.chosen().input[0], 1.0, 0.05);
    for (const auto& panel : window->panel("compare_decision_maps")->chart().panels) {
        ASSERT_TRUE(std::holds_alternative<Points>(panel.series.back()));
        EXPECT_EQ(std::get<Points>(panel.series.back()).name, "chosen input");
    }
    EXPECT_EQ(window->panel("boxplots")->chart().panels.size(), 2U);
    EXPECT_TRUE(window.find<QComboBox>("mapQuantity")->isVisible());
    window.find<QComboBox>("mapQuantity")->setCurrentIndex(3);
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_EQ(window->workspace().requests.chosen().map_quantity, MapQuantity::epistemic);
    EXPECT_EQ(window->panel("compare_decision_maps")->chart().panels.size(), 2U);
    window.clickButton("endComparison");
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_FALSE(window.find<QPushButton>("compareRuns")->isChecked());
    EXPECT_EQ(window->panel("boxplots")->chart().panels.size(), 1U);
    EXPECT_TRUE(window.find<QComboBox>("mapQuantity")->isVisible());
}

TEST(KeptRuns, GoingBackInTimeNeitherAddsCurvesNorRecoloursThem)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(100));
    window.clickAction("restart");
    ASSERT_TRUE(window.waitFor([&] { return window->workspace().runs.rowCount() == 2; }));
    tick(window, 0);
    tick(window, 1);
    ASSERT_TRUE(window.waitForPictures());
    const auto curves = [&] {   // name and number of the colour
        std::vector<std::pair<std::string, int>> all;
        for (const auto& series : window->panel("training_curves")->chart().panels.front().series)
            if (const auto* line = std::get_if<Line>(&series))
                all.emplace_back(line->name, line->tone.index);
        return all;
    };
    const auto before = curves();
    ASSERT_EQ(before.size(), 2U);
    window.find<QSlider>("timeMachine")->setValue(5);
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_EQ(curves(), before);
    window.find<QSlider>("timeMachine")->setValue(0);   // where the run on show has no loss to draw yet
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_THAT(curves(), testing::ElementsAre(before.back()));
}

TEST(KeptRuns, RunsOnOtherDataDoNotStandInTheCurves)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(100));
    tick(window, 0);
    Study other         = window.study();
    other.data.toy.kind = ToyKind::circles;
    window->session().setStudy(other);
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    ASSERT_TRUE(window.train(80));
    const auto alone   = view("training_curves").make(window->session().run().moment(), {}, {}).value();
    const Chart& shown = window->panel("training_curves")->chart();
    EXPECT_EQ(data_table(shown).rows, data_table(alone).rows) << "with panels of the same names";
    const std::string note = "Not drawn, of other data: " + window->workspace().runs.at(0)->run.name;
    EXPECT_EQ(shown.panels.at(0).note, note);
    EXPECT_THAT(shown.caption, testing::EndsWith(" " + note + "."));
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
    ASSERT_TRUE(window.waitFor([&] { return window->session().run().moment().snapshot->point.step == 150; }));
    EXPECT_FALSE(other->isHidden());
    window.clickButton("takeOverStudy");
    EXPECT_EQ(window.study().posterior.family, "mean_field");
    ASSERT_TRUE(window.waitForState(Session::State::ended));
    EXPECT_EQ(window->session().run().moment().snapshot->point.step, 150);
    EXPECT_TRUE(other->isHidden());
    window->workspace().undo.undo();
    EXPECT_EQ(window.study().posterior.family, "layer_scale");
}

TEST(KeptRuns, RunsComeBackWhenTheWindowOpensAgain)
{
    {
        WindowDriver window;
        ASSERT_TRUE(window.train(120));
    }
    WindowDriver window(WindowDriver::Runs::keep);
    ASSERT_TRUE(window.waitFor([&] { return window->workspace().runs.rowCount() == 1; }));
    EXPECT_EQ(window->workspace().runs.at(0)->run.report.steps, 120);
    auto* table = window.find<QTableView>("runsTable");
    table->selectRow(0);
    window.clickButton("showRun");
    EXPECT_TRUE(window.waitFor([&] { return window->session().run().moment().snapshot->point.step == 120; }));
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
    Study table           = window.study();
    table.data.source     = DataSource::csv;
    table.data.file       = file;
    Study drawn           = window.study();
    drawn.data.source     = DataSource::drawn;
    drawn.data.drawn_task = Task::regression;
    for (int i = 0; i < 20; ++i)
        drawn.data.points.push_back({0.1 * i, 0.05 * i * i, 0});
    const auto score = [&] {
        return window->workspace()
            .runs.data(window->workspace().runs.index(0, KeptRuns::score), Qt::DisplayRole)
            .toString()
            .toStdString();
    };
    for (const Study& study : {table, drawn}) {
        window->session().setStudy(study);
        ASSERT_TRUE(window.waitForState(Session::State::ready)) << window->message().toStdString();
        ASSERT_TRUE(window.train(100));
        EXPECT_THAT(score(), testing::StartsWith("RMSE "));
    }
    // Read back from its file, the run of the table still knows what it had to learn.
    const KeptRunEntry again(*window->workspace().runs.at(1)->whole(), nullptr, {});
    EXPECT_EQ(again.task(), Task::regression);
    ASSERT_EQ(again.run.study.data.csv.task, std::nullopt);
}

TEST(KeptRuns, ARenamedRunStandsUnderItsNameInTheComparison)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(100));
    window.clickAction("restart");
    ASSERT_TRUE(window.waitFor([&] { return window->workspace().runs.rowCount() == 2; }));
    window->workspace().runs.setData(window->workspace().runs.index(0, KeptRuns::name), "the second", Qt::EditRole);
    tick(window, 0);
    tick(window, 1);
    window.clickButton("compareRuns");
    ASSERT_TRUE(window.waitForPictures());
    const auto& maps = window->panel("compare_decision_maps")->chart();
    ASSERT_EQ(maps.panels.size(), 2U) << maps.message;
    EXPECT_EQ(maps.panels[0].title, "the second");
    EXPECT_EQ(maps.panels[1].title, window.study().name);
}
