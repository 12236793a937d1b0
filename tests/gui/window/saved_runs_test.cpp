// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include "parts/sheet.h"
#include "parts/view_panel.h"
#include "study/presets.h"
#include "views/views.h"
#include "work/text.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTableView>
#include <QTemporaryDir>

#include <fstream>

using namespace credence;

namespace {

void tick(WindowDriver& window, int row)
{
    window->context().runs.setData(window->context().runs.index(row, SavedRuns::name), Qt::Checked, Qt::CheckStateRole);
}

}   // namespace

TEST(SavedRuns, EveryFinishedRunIsListedWithItsDifferences)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(200));
    window.choose("posterior.family/editor", "point_estimate");
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    ASSERT_TRUE(window.train(200));
    ASSERT_EQ(window->context().runs.rowCount(), 2);
    const auto text = [&](int row, int column) {
        return window->context()
            .runs.data(window->context().runs.index(row, column), Qt::DisplayRole)
            .toString()
            .toStdString();
    };
    EXPECT_EQ(text(0, SavedRuns::steps), "200");
    EXPECT_TRUE(window.waitFor([&] { return text(0, SavedRuns::score).ends_with("%"); }));
    EXPECT_EQ(text(0, SavedRuns::differs), "");
    EXPECT_THAT(text(1, SavedRuns::differs), testing::HasSubstr("Posterior"));
}

namespace {

/// The value of a score in the view Scores.
double scoreInView(WindowDriver& window, const std::string& name)
{
    const auto chart = view("scores").make(window->session().run().current(), {}, {}).value();
    for (const auto& row : chart.table->rows)
        if (std::get<std::string>(row[0]) == name)
            return std::get<double>(row[1]);
    ADD_FAILURE() << "no score " << name;
    return 0;
}

}   // namespace

TEST(SavedRuns, TheScoreOfARunIsThatOfTheViewScoresAlsoAfterItIsStopped)
{
    WindowDriver window;
    Study study              = window.study();
    study.data.toy.noise     = 0.4;
    study.data.toy.n         = 2000;
    study.prediction.samples = 20;
    window->session().setStudy(study);
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    ASSERT_TRUE(window.train(150));
    window.setSteps(100000000);
    window.clickAction("train");
    ASSERT_TRUE(window.waitFor([&] { return window->session().run().current().snapshot->point.step > 3; }));
    window.clickAction("stop");
    ASSERT_TRUE(window.waitForState(Session::State::ended));
    auto& runs = window->context().runs;
    ASSERT_EQ(runs.rowCount(), 2);
    for (int row = 0; row < 2; ++row) {
        ASSERT_TRUE(window.waitFor([&] { return runs.at(row)->run.score.has_value(); }));
        window.displayRun(row);
        ASSERT_TRUE(window.waitFor([&] { return runs.at(row)->isEndOf(window->session().run().newest); }));
        EXPECT_EQ(runs.at(row)->run.score->value, scoreInView(window, "Accuracy"));
        const auto file = runs.at(row)->file.toStdString();
        ASSERT_TRUE(window.waitFor([&] { return QFileInfo::exists(runs.at(row)->file); }));
        EXPECT_TRUE(window.waitFor([&] { return load_run_summary(file).score == runs.at(row)->run.score; }));
    }
}

TEST(SavedRuns, ARunOfAnOlderFileHasNoScoreUntilItIsDisplayed)
{
    QString file;
    {
        WindowDriver window;
        ASSERT_TRUE(window.train(60));
        file = window->context().runs.at(0)->file;
    }
    SavedRun run = load_run(file.toStdString());
    run.score.reset();
    save_run(run, file.toStdString());
    WindowDriver window(WindowDriver::Runs::keep);
    auto& runs = window->context().runs;
    ASSERT_TRUE(window.waitFor([&] { return runs.rowCount() == 1; }));
    const auto text = [&] { return runs.data(runs.index(0, SavedRuns::score), Qt::DisplayRole).toString(); };
    EXPECT_EQ(text(), "");
    window.displayRun(0);
    ASSERT_TRUE(window.waitFor([&] { return !text().isEmpty(); }));
    EXPECT_EQ(runs.at(0)->run.score->value, scoreInView(window, "Accuracy"));
    EXPECT_TRUE(window.waitFor([&] { return load_run_summary(file.toStdString()).score.has_value(); }));
}

TEST(SavedRuns, TwoTickedRunsAreComparedOnOneScale)
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
    auto* errors = window.showView("overlay_training_curves");
    ASSERT_TRUE(window.waitFor([&] {   // of each run on training and on test set
        return errors->hasChart() && !errors->chart().panels.empty() && errors->chart().panels[0].series.size() == 4U;
    }));
    window.find<QComboBox>("curveQuantity")->setCurrentIndex(1);
    window.find<QCheckBox>("curveLogarithmic")->click();
    ASSERT_TRUE(window.waitFor([&] { return errors->chart().panels.at(0).y.logarithmic; }));
    EXPECT_EQ(errors->chart().panels[0].y.label, "Data loss per example");
    EXPECT_EQ(errors->chart().panels[0].series.size(), 2U);
    auto* roc = window.showView("roc");
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
    const auto* name = window.find<QLabel>("summaryName");
    EXPECT_TRUE(window.waitFor([&] { return name->isVisible(); })) << "whose numbers are these?";
    EXPECT_EQ(name->toolTip().toStdString(), window->context().runs.at(0)->run.name) << "the displayed run";
    window.clickButton("endComparison");
    EXPECT_FALSE(window->panel("compare_decision_maps")->isVisible());
    EXPECT_FALSE(name->isVisible());
}

TEST(SavedRuns, ASavedRunIsShownRenamedAndDeleted)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(150));
    window.choose("posterior.family/editor", "layer_scale");
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    EXPECT_EQ(window->session().run().current().snapshot->point.step, 0);
    auto* table = window.openRunsTable();
    table->selectRow(0);
    window.clickButton("showRun");
    ASSERT_TRUE(window.waitFor([&] { return window->session().run().current().snapshot->point.step == 150; }));
    EXPECT_EQ(window->session().run().current().experiment->study.posterior.family, "mean_field");
    EXPECT_EQ(window.study().posterior.family, "layer_scale");   // the panel keeps its settings
    window->context().runs.setData(window->context().runs.index(0, SavedRuns::name), "my run", Qt::EditRole);
    EXPECT_EQ(window->context().runs.at(0)->run.name, "my run");
    window.clickButton("reopenStudy");
    EXPECT_EQ(window.study().posterior.family, "mean_field");
    window.clickButton("deleteRun");
    window.answer("confirmDelete");
    EXPECT_EQ(window->context().runs.rowCount(), 0);
}

TEST(SavedRuns, MessagesAboutTheDisplayedRunDisappearWithIt)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(60));
    window.choose("posterior.family/editor", "layer_scale");
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    window.displayRun(0);
    const auto words = [&] { return window->statusBar()->currentMessage().toStdString(); };
    ASSERT_TRUE(window.waitFor([&] { return words().starts_with("Displayed: "); }));
    const long kept = window->session().currentRun().number();
    window.clickButton("backToStudy");
    ASSERT_TRUE(window.waitFor([&] { return window->session().currentRun().number() != kept; }));
    EXPECT_EQ(words(), "");
}

TEST(SavedRuns, DeletingAsksAndUndoRestoresTheRunAndItsFile)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(120));
    const QString file = window->context().runs.at(0)->file;
    ASSERT_TRUE(window.waitFor([&] { return QFileInfo::exists(file); }));
    window.openRunsTable()->selectRow(0);
    window.clickButton("deleteRun");
    const auto* question = window.question();
    EXPECT_EQ(question->windowTitle(), "Delete the run Two moons, mean field?");
    const auto* list = window.find<QWidget>("runsTable");
    EXPECT_TRUE(QRect(list->mapToGlobal(QPoint()), list->size()).intersects(question->geometry()))
        << "the question is where it was asked";
    window.answer("back");
    EXPECT_EQ(window->context().runs.rowCount(), 1);
    EXPECT_TRUE(QFileInfo::exists(file));
    window.clickButton("deleteRun");
    window.answer("confirmDelete");
    EXPECT_EQ(window->context().runs.rowCount(), 0);
    EXPECT_TRUE(window.waitFor([&] { return !QFileInfo::exists(file); }));
    EXPECT_EQ(window->context().document.undo().undoText(), "Delete run Two moons, mean field");
    window->context().document.undo().undo();
    EXPECT_EQ(window->context().runs.rowCount(), 1);
    EXPECT_TRUE(window.waitFor([&] { return QFileInfo::exists(file); }));
    EXPECT_TRUE(window->message().isEmpty()) << "nothing is left to undo";
    EXPECT_EQ(load_run(file.toStdString()).report.steps, 120);
}

TEST(SavedRuns, WithoutATrashTheRunStaysAndTheWindowStatesThis)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(60));
    const QString file = window->context().runs.at(0)->file;
    ASSERT_TRUE(window.waitFor([&] { return QFileInfo::exists(file); }));
    const QString trash = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + "/Trash";
    QDir(trash).removeRecursively();
    QFile blocked(trash);   // a file in the place of the folder
    ASSERT_TRUE(blocked.open(QIODevice::WriteOnly));
    window.openRunsTable()->selectRow(0);
    window.clickButton("deleteRun");
    window.answer("confirmDelete");
    window.waitFor(
        [&] { return window->message().contains("cannot be moved to the trash") || !QFileInfo::exists(file); });
    if (!QFileInfo::exists(file))
        GTEST_SKIP() << "the temporary files are on a volume with its own trash";
    EXPECT_EQ(window->message(),
              QStringLiteral("The run Two moons, mean field was not deleted: its file %1 cannot be moved to the trash.")
                  .arg(file));
    EXPECT_EQ(window->context().runs.rowCount(), 1);
    EXPECT_TRUE(QFileInfo::exists(file));
    window.clickButton("offer0");   // for good
    EXPECT_EQ(window->context().runs.rowCount(), 0);
    EXPECT_TRUE(window.waitFor([&] { return !QFileInfo::exists(file); }));
    blocked.remove();
}

TEST(SavedRuns, AnOpenedRunIsListedOnceAndRemovalKeepsItsFile)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(60));
    const QString own = window->context().runs.at(0)->file;
    ASSERT_TRUE(window.waitFor([&] { return QFileInfo::exists(own); }));
    const QString similar = QFileInfo(own).absolutePath() + "-2025";   // begins like the folder of the runs
    ASSERT_TRUE(QDir().mkpath(similar));
    const QString file = similar + "/mine.credence";
    QFile::remove(file);
    ASSERT_TRUE(QFile::copy(own, file));
    for (int time = 0; time < 2; ++time) {
        const long before = window->session().currentRun().number();
        window->openFile(file);
        ASSERT_TRUE(window.waitFor([&] { return window->session().currentRun().number() != before; }));
        EXPECT_EQ(window->context().runs.rowCount(), 2);
    }
    window->context().runs.removeRun(0);
    EXPECT_EQ(window->context().runs.rowCount(), 1);
    window->context().runs.removeRun(0);   // files are removed in this order
    ASSERT_TRUE(window.waitFor([&] { return !QFileInfo::exists(own); }));
    EXPECT_TRUE(QFileInfo::exists(file));
}

TEST(SavedRuns, ASavedRunIsDisplayedWithItsOwnPanelAndPicturesWhileAnotherTrains)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(150));
    window.choose("posterior.family/editor", "point_estimate");
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    window.setSteps(100000000);
    window.clickAction("train");
    const auto& shown  = [&]() -> const DisplayedRun& { return window->session().run(); };
    const auto trained = [&] { return window->session().currentRun().training().newest->point.step; };
    const auto inPanel = [&] { return window.find<QComboBox>("posterior.family/editor")->currentData().toString(); };
    auto* chip         = window.find<QPushButton>("trainingInBackground");
    ASSERT_TRUE(window.waitFor([&] { return trained() > 0; }));
    EXPECT_FALSE(chip->isVisible());
    for (const bool paused : {false, true}) {
        if (paused)
            window.clickAction("train");
        window.displayRun(0);
        ASSERT_TRUE(window.waitFor([&] { return shown().experiment->study.posterior.family == "mean_field"; }));
        EXPECT_EQ(shown().newest->point.step, 150);
        EXPECT_EQ(window->session().state(), paused ? Session::State::paused : Session::State::running);
        EXPECT_EQ(inPanel(), "mean_field");
        EXPECT_TRUE(window->windowTitle().startsWith("Two moons, mean field (saved run)"))
            << window->windowTitle().toStdString();
        EXPECT_FALSE(window->isWindowModified()) << "a saved run has no unsaved changes";
        EXPECT_FALSE(window.find<QComboBox>("posterior.family/editor")->isEnabled());
        EXPECT_FALSE(window.find<QAction>("restart")->isEnabled());
        EXPECT_TRUE(chip->isVisible());
        EXPECT_TRUE(chip->text().startsWith(toQString(window.study().name + ": "))) << chip->text().toStdString();
        if (!paused) {
            const long before = trained();
            ASSERT_TRUE(window.waitFor([&] { return trained() > before; })) << "it continues in the background";
        }
        EXPECT_EQ(shown().newest->point.step, 150);
        QTest::mouseClick(chip, Qt::LeftButton);
        EXPECT_EQ(shown().experiment->study.posterior.family, "point_estimate");
        EXPECT_EQ(inPanel(), "point_estimate");
        EXPECT_TRUE(window->isWindowModified());
        EXPECT_TRUE(window.find<QComboBox>("posterior.family/editor")->isEnabled());
        EXPECT_FALSE(chip->isVisible());
    }
    window.displayRun(0);
    ASSERT_TRUE(window.waitFor([&] { return shown().newest->point.step == 150; }));
    window.clickAction("stop");   // the one in training
    ASSERT_EQ(window->context().runs.rowCount(), 2);
    EXPECT_EQ(window->context().runs.at(0)->run.study.posterior.family, "point_estimate");
    EXPECT_EQ(shown().newest->point.step, 150) << "the displayed run stays";
    EXPECT_FALSE(chip->isVisible());
    window.clickButton("backToStudy");
    EXPECT_EQ(inPanel(), "point_estimate");
}

TEST(SavedRuns, ARunThatEndsInTheBackgroundIsSavedAndTheDisplayedOneStays)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(150));
    window.choose("posterior.family/editor", "point_estimate");
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    window.setSteps(40);
    window->session().setStepsPerSecond(4);
    window.clickAction("train");
    window.displayRun(0);
    ASSERT_TRUE(window.waitFor([&] { return window->session().run().newest->point.step == 150; }));
    ASSERT_EQ(window->session().state(), Session::State::running);
    window->session().setStepsPerSecond(0);
    ASSERT_TRUE(window.waitFor([&] { return window->context().runs.rowCount() == 2; }));
    EXPECT_EQ(window->context().runs.at(0)->run.report.steps, 40);
    EXPECT_EQ(window->session().run().newest->point.step, 150);
    EXPECT_EQ(window->session().state(), Session::State::ended);
    EXPECT_EQ(window->context().opener.shownFile(), window->context().runs.at(1)->file);
    EXPECT_FALSE(window.find<QPushButton>("trainingInBackground")->isVisible());
}

TEST(SavedRuns, TheComparisonAcceptsClicksAndShowsTheBoxplotsOfAllItsRuns)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(100));
    window.clickAction("restart");
    ASSERT_TRUE(window.waitFor([&] { return window->context().runs.rowCount() == 2; }));
    tick(window, 0);
    tick(window, 1);
    window.clickButton("compareRuns");
    ASSERT_TRUE(window.waitForPictures());
    auto* view      = window->panel("compare_decision_maps")->chartView();
    const QPoint at = view->positionOf(1, 1.0, 0.5).toPoint();
    auto* target    = view->childAt(at);
    QTest::mouseClick(target, Qt::LeftButton, {}, target->mapFrom(view, at));
    ASSERT_TRUE(window.waitForPictures());
    ASSERT_EQ(window->context().requests.chosen().input.values.size(), 2U);
    EXPECT_NEAR(window->context().requests.chosen().input.values[0], 1.0, 0.05);
    for (const auto& panel : window->panel("compare_decision_maps")->chart().panels) {
        ASSERT_TRUE(std::holds_alternative<Points>(panel.series.back()));
        EXPECT_EQ(std::get<Points>(panel.series.back()).name, "selected input");
    }
    EXPECT_EQ(window->panel("boxplots")->chart().panels.size(), 2U);
    EXPECT_TRUE(window.find<QComboBox>("mapQuantity")->isVisible());
    window.find<QComboBox>("mapQuantity")->setCurrentIndex(3);
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_EQ(window->context().requests.chosen().map.quantity, MapQuantity::epistemic);
    EXPECT_EQ(window->panel("compare_decision_maps")->chart().panels.size(), 2U);
    window.clickButton("endComparison");
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_FALSE(window.find<QPushButton>("compareRuns")->isChecked());
    EXPECT_EQ(window->panel("boxplots")->chart().panels.size(), 1U);
    EXPECT_TRUE(window.find<QComboBox>("mapQuantity")->isVisible());
}

TEST(SavedRuns, GoingBackInTimeNeitherAddsCurvesNorRecoloursThem)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(100));
    window.clickAction("restart");
    ASSERT_TRUE(window.waitFor([&] { return window->context().runs.rowCount() == 2; }));
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
    window.find<QSlider>("timeMachine")->setValue(0);   // where the displayed run has no loss to draw yet
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_THAT(curves(), testing::ElementsAre(before.back()));
}

TEST(SavedRuns, RunsOnOtherDataAreNotInTheCurves)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(100));
    tick(window, 0);
    Study other         = window.study();
    other.data.toy.kind = ToyKind::circles;
    window->session().setStudy(other);
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    ASSERT_TRUE(window.train(80));
    const auto alone   = view("training_curves").make(window->session().run().current(), {}, {}).value();
    const Chart& shown = window->panel("training_curves")->chart();
    EXPECT_EQ(data_table(shown).rows, data_table(alone).rows) << "with panels of the same names";
    const std::string note = "Not drawn because of other data: " + window->context().runs.at(0)->run.name;
    EXPECT_EQ(shown.panels.at(0).note, note);
    EXPECT_THAT(shown.caption, testing::EndsWith(" " + note + "."));
}

TEST(SavedRuns, TheStudyOfADisplayedRunCanBeCopiedAndTheRunStaysDisplayed)
{
    WindowDriver window;
    auto* other = window.find<QWidget>("otherStudy");
    ASSERT_TRUE(window.train(150));
    EXPECT_TRUE(other->isHidden());
    window.choose("posterior.family/editor", "layer_scale");
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    EXPECT_TRUE(other->isHidden()) << "nothing is trained";
    window.displayRun(0);
    ASSERT_TRUE(window.waitFor([&] { return window->session().run().current().snapshot->point.step == 150; }));
    EXPECT_FALSE(other->isHidden());
    window.clickButton("editCopy");
    EXPECT_EQ(window.study().posterior.family, "mean_field");
    ASSERT_TRUE(window.waitForState(Session::State::ended));
    EXPECT_EQ(window->session().run().current().snapshot->point.step, 150);
    EXPECT_TRUE(other->isHidden());
    window->context().document.undo().undo();
    EXPECT_EQ(window.study().posterior.family, "layer_scale");
}

TEST(SavedRuns, RunsAreRestoredWhenTheWindowOpensAgain)
{
    {
        WindowDriver window;
        ASSERT_TRUE(window.train(120));
    }
    WindowDriver window(WindowDriver::Runs::keep);
    ASSERT_TRUE(window.waitFor([&] { return window->context().runs.rowCount() == 1; }));
    EXPECT_EQ(window->context().runs.at(0)->run.report.steps, 120);
    auto* table = window.openRunsTable();
    table->selectRow(0);
    window.clickButton("showRun");
    EXPECT_TRUE(window.waitFor([&] { return window->session().run().current().snapshot->point.step == 120; }));
}

TEST(SavedRuns, ARegressionIsScoredByItsErrorForAnySourceOfData)
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
        return window->context()
            .runs.data(window->context().runs.index(0, SavedRuns::score), Qt::DisplayRole)
            .toString()
            .toStdString();
    };
    for (const Study& study : {table, drawn}) {
        window->session().setStudy(study);
        ASSERT_TRUE(window.waitForState(Session::State::ready)) << window->message().toStdString();
        ASSERT_TRUE(window.train(100));
        EXPECT_TRUE(window.waitFor([&] { return score().starts_with("RMSE "); })) << score();
    }
}

TEST(SavedRuns, ARenamedRunHasItsNameInTheComparison)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(100));
    window.clickAction("restart");
    ASSERT_TRUE(window.waitFor([&] { return window->context().runs.rowCount() == 2; }));
    window->context().runs.setData(window->context().runs.index(0, SavedRuns::name), "the second", Qt::EditRole);
    tick(window, 0);
    tick(window, 1);
    window.clickButton("compareRuns");
    ASSERT_TRUE(window.waitForPictures());
    const auto& maps = window->panel("compare_decision_maps")->chart();
    ASSERT_EQ(maps.panels.size(), 2U) << maps.message;
    EXPECT_EQ(maps.panels[0].title, "the second");
    EXPECT_EQ(maps.panels[1].title, window.study().name);
}
