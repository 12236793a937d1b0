// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/image_workbench.h"
#include "session/settings.h"
#include "study/presets.h"
#include "views/network_picture.h"
#include "views/prediction_area.h"
#include "views/scored_predictions.h"
#include "views/views.h"
#include "window_driver.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>

#include <fstream>
#include <map>

using namespace credence;

TEST(Picture, AClickInTheMapChoosesTheInputThatAllViewsFollow)
{
    WindowDriver window;
    const auto before = data_table(window->panel("boxplots")->chart()).rows;
    window.clickMap(1.0, 0.5);
    ASSERT_TRUE(window.waitForPictures());
    ASSERT_EQ(window->context().requests.chosen().input.values.size(), 2U);
    EXPECT_NEAR(window->context().requests.chosen().input.values[0], 1.0, 0.05);
    EXPECT_NEAR(window->context().requests.chosen().input.values[1], 0.5, 0.05);
    EXPECT_THAT(window.find<QLabel>("chosenInput")->text().toStdString(), testing::HasSubstr("x1\u00a0=\u00a0"));
    EXPECT_NE(data_table(window->panel("boxplots")->chart()).rows, before);
}

TEST(Picture, ATestRowCanBeChosen)
{
    WindowDriver window;
    auto* row = window.find<QSpinBox>("inputRow");
    EXPECT_EQ(row->text(), QStringLiteral("test row 0"));
    window.clickMap(1.0, 0.5);
    EXPECT_EQ(row->text(), QStringLiteral("map point"));
    row->stepUp();
    EXPECT_EQ(row->text(), QStringLiteral("test row 0"));
    EXPECT_TRUE(window->context().requests.chosen().input.values.empty());
    EXPECT_EQ(window->context().requests.chosen().input.row, 0U);
    row->setValue(7);
    EXPECT_EQ(window->context().requests.chosen().input.row, 7U);
    row->setValue(-3);   // no map point to go back to
    EXPECT_EQ(row->value(), 0);
}

TEST(Picture, EveryQuantityOfTheMapIsDrawn)
{
    WindowDriver window;
    auto* quantity = window.find<QComboBox>("mapQuantity");
    ASSERT_EQ(quantity->count(), 5);
    for (int i = 0; i < quantity->count(); ++i) {
        quantity->setCurrentIndex(i);
        ASSERT_TRUE(window.waitForPictures());
        const auto& chart = window->panel("decision_map")->chart();
        EXPECT_TRUE(chart.message.empty()) << chart.message;
        EXPECT_EQ(static_cast<int>(window->context().requests.chosen().map.quantity), quantity->itemData(i).toInt());
    }
}

TEST(Picture, AStrokeDrawsPointsOfTheChosenClassAndIsOneStepOfUndo)
{
    WindowDriver window;
    const Study before = window.study();
    window.clickButton("toolDraw1");
    window.dragMap(-1.5, 1.5, 2.0, 1.5);
    EXPECT_EQ(window.study().data.source, DataSource::drawn);
    ASSERT_GT(window.study().data.points.size(), 405U);   // the 400 training points of the toy and those of the stroke
    EXPECT_EQ(window.study().data.test_points->size(), 100U);
    EXPECT_EQ(window.study().data.points.back().label, 1);
    EXPECT_NEAR(window.study().data.points.back().y, 1.5, 0.1);
    EXPECT_TRUE(window.waitForState(Session::State::ready));
    window->context().document.undo().undo();
    EXPECT_TRUE(window.study() == before);
}

TEST(Picture, AClickInDrawModeSetsOnePoint)
{
    WindowDriver window;
    window.clickButton("toolDraw0");
    window.clickMap(0.5, 1.5);
    EXPECT_EQ(window.study().data.points.size(), 401U);
    EXPECT_EQ(window.study().data.test_points->size(), 100U);
    EXPECT_TRUE(window->context().requests.chosen().input.values.empty());
}

TEST(Picture, ErasingRemovesPointsAndClearLeavesEnoughToTrain)
{
    WindowDriver window;
    window.clickButton("toolErase");
    window.dragMap(-1.0, 0.5, 1.0, 0.5);
    EXPECT_LT(window.study().data.points.size(), 400U);
    EXPECT_LT(window.study().data.test_points->size(), 100U);
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    window.clickButton("toolClear");
    EXPECT_EQ(window.study().data.points.size(), 4U);
    EXPECT_EQ(window.study().data.test_points->size(), 0U);
    EXPECT_TRUE(window.waitForState(Session::State::ready));
}

TEST(Picture, ARunContinuesWithPointsDrawnMeanwhile)
{
    WindowDriver window;
    window.setSteps(100000000);
    ASSERT_TRUE(window.waitForPictures());   // nobody draws on a map that is not there yet
    window.clickAction("train");
    ASSERT_TRUE(window.waitFor([&] { return window->session().run().current().snapshot->point.step > 0; }));
    window.clickButton("toolDraw0");
    window.dragMap(0.0, -1.0, 1.0, -1.0);
    ASSERT_TRUE(window.waitFor([&] {
        return !window->session().run().current().experiment->study.data.changes.empty()
               && window->session().state() == Session::State::running;
    }));
    const long step = window->session().run().current().snapshot->point.step;
    EXPECT_GE(step, window.study().data.changes.front().step) << "it continues where it was";
    EXPECT_GT(step, 0);
    EXPECT_THAT(window.find<QLabel>("note")->text().toStdString(), testing::HasSubstr("Points changed at step "));
    window.clickAction("stop");
    EXPECT_TRUE(window.waitForState(Session::State::ended));
}

namespace {

int cellsOfMap(WindowDriver& window)
{
    const auto& chart = window->panel("decision_map")->chart();
    return chart.panels.empty() ? 0 : std::get<HeatMap>(chart.panels.front().series.front()).nx;
}

/// Shows a map that is quick to compute, and waits until it has been refined at rest.
bool waitForRefinedMap(WindowDriver& window)
{
    auto quick               = window.study();
    quick.prediction.samples = 2;   // a map that takes long keeps its cells
    window->session().setStudy(quick);
    return window.waitFor([&] { return cellsOfMap(window) > read(settings::mapCells); }) && window.waitForPictures();
}

}   // namespace

TEST(Picture, TheMapIsRefinedAtRest)
{
    WindowDriver window;
    EXPECT_TRUE(waitForRefinedMap(window)) << cellsOfMap(window);
    const int fine = cellsOfMap(window);
    window.clickMap(0.2, 0.3);   // another selected input does not compute the map again
    EXPECT_TRUE(window.waitForPictures());
    EXPECT_EQ(cellsOfMap(window), fine);
}

TEST(Picture, TheAxesStayFixedEvenIfThePenWasChosenBeforeThePictureAppeared)
{
    WindowDriver window;
    auto* panel = window->panel("decision_map");
    panel->wait(QStringLiteral("Computing …"), false);
    window.clickButton("toolDraw0");
    const auto* area = window.window().findChild<PredictionArea*>();
    EXPECT_FALSE(area->region());
    Q_EMIT panel->becameVisible();   // asks for the picture; the last one is dimmed until it comes
    ASSERT_TRUE(window.waitFor([&] { return area->region().has_value(); }));
    const auto range = window.shownMap()->shownRange(0);
    EXPECT_EQ(area->region(), range);
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_EQ(panel->chartView()->shownRange(0), range);
}

TEST(Picture, TheAxesStayFixedWhileThePenIsActive)
{
    WindowDriver window;
    auto* view = window->panel("decision_map")->chartView();
    window.clickButton("toolDraw0");
    ASSERT_TRUE(window.waitForPictures());
    const auto before = view->shownRange(0);
    ASSERT_TRUE(before);
    const double left = before->first.first + 0.02 * (before->first.second - before->first.first),
                 low  = before->second.first + 0.02 * (before->second.second - before->second.first);
    for (int i = 0; i < 3; ++i) {
        window.clickMap(left, low);   // a free map would grow at each of these
        ASSERT_TRUE(window.waitForState(Session::State::ready));
        ASSERT_TRUE(window.waitForPictures());
        EXPECT_EQ(view->shownRange(0), before);
    }
    EXPECT_NEAR(window.study().data.points.back().y, low, 0.1);
    window.clickButton("toolChoose");
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_NE(view->shownRange(0), before);
}

TEST(Picture, ADrawnPointKeepsTheTrainedNetworkAndUndoRestoresBoth)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(200));
    const Study before = window.study();
    const auto trained = window->session().run().current().snapshot;
    window.clickButton("toolDraw1");
    window.clickMap(0.5, 1.2);
    window.clickMap(0.6, 1.2);
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    EXPECT_EQ(window->session().run().current().snapshot->posterior, trained->posterior);
    EXPECT_TRUE(window->session().ready().continuesTraining());
    EXPECT_THAT(window.find<QLabel>("progressText")->text().toStdString(),
                testing::HasSubstr("continues from the trained network"));
    window->context().document.undo().undo();
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    EXPECT_EQ(window->session().run().current().snapshot->posterior, trained->posterior);
    window->context().document.undo().undo();
    ASSERT_TRUE(window.waitForState(Session::State::ended));
    EXPECT_TRUE(window.study() == before);
    EXPECT_EQ(window->session().run().current().snapshot, trained);
}

TEST(Picture, TrainContinuesFromTheNetworkBeforeThePointsAndRestartStartsAgain)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(200));
    const auto trained = window->session().run().current().snapshot->posterior;
    window.clickButton("toolDraw1");
    window.clickMap(0.5, 1.2);
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    window.clickAction("train");
    ASSERT_TRUE(window.waitForState(Session::State::ended));
    EXPECT_EQ(window->session().run().recorded().front()->point.step, 0);
    EXPECT_EQ(window->session().run().current().experiment->start, trained);
    EXPECT_THAT(window->session().run().report->message,
                testing::HasSubstr("continued from the network that was trained before points were drawn"));
    window.clickAction("restart");
    ASSERT_TRUE(window.waitFor([&] { return window->context().runs.rowCount() == 3; }));
    EXPECT_NE(window->session().run().current().experiment->start, trained);
    EXPECT_THAT(window->session().run().report->message, testing::Not(testing::HasSubstr("continued from")));
}

TEST(Picture, OtherDataReleaseThePen)
{
    WindowDriver window;
    window.clickButton("toolDraw0");
    window.choose("data.kind/editor", "circles");
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    EXPECT_FALSE(window->context().requests.chosen().map.region);
}

TEST(Picture, ARegressionStudyShowsItsBand)
{
    WindowDriver window;
    window->openFile(QString());   // a missing file is reported and changes nothing
    auto* presets   = window.find<QComboBox>("presets");
    const int cubic = presets->findData("cubic");
    ASSERT_GE(cubic, 0);
    presets->setCurrentIndex(cubic);
    Q_EMIT presets->activated(cubic);
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_EQ(window->panel("decision_map")->view().id, "regression_band");
    EXPECT_EQ(window->panel("decision_map")->chart().id, "regression_band");
}

TEST(Picture, TheTestRowsOfATableAreSortedFilteredAndChosenByAClick)
{
    WindowDriver window;
    const QTemporaryDir folder;
    const std::string file = folder.filePath("three.csv").toStdString();
    {
        std::ofstream rows(file);
        rows << "a,b,c,kind\n";
        for (int i = 0; i < 120; ++i)
            rows << i % 7 << ',' << i % 11 << ',' << i % 3 << ',' << (i * 7 % 13 < 6 ? "x" : "y") << '\n';
    }
    Study study       = window.study();
    study.data.source = DataSource::csv;
    study.data.file   = file;
    window->session().setStudy(study);
    ASSERT_TRUE(window.waitForState(Session::State::ready)) << window->message().toStdString();
    ASSERT_TRUE(window.train(60));
    auto* rows  = window->panel("centre_rows");   // where a picture of all inputs would be
    auto* table = rows->findChild<QTableView*>("rowTable");
    ASSERT_TRUE(table->isVisible());
    EXPECT_FALSE(window->panel("test_rows")->isVisible());
    const int n = static_cast<int>(window->session().run().current().experiment->data->test.n_rows);
    ASSERT_TRUE(window.waitFor([&] { return table->model()->rowCount() == n; }));
    const auto number = [&](int row, int column) {
        return table->model()->index(row, column).data(Qt::UserRole).toDouble();
    };
    table->sortByColumn(test_row::entropy, Qt::DescendingOrder);
    for (int row = 1; row < n; ++row)
        EXPECT_GE(number(row - 1, test_row::entropy), number(row, test_row::entropy));
    auto* filter = rows->findChild<QComboBox*>("rowFilter");
    filter->setCurrentIndex(1);
    ASSERT_GT(table->model()->rowCount(), 0);
    EXPECT_LT(table->model()->rowCount(), n);
    for (int row = 0; row < table->model()->rowCount(); ++row)
        EXPECT_EQ(number(row, test_row::right), 0);
    const QRect cell = table->visualRect(table->model()->index(1, 0));
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell.center());
    EXPECT_EQ(static_cast<double>(window->context().requests.chosen().input.row), number(1, test_row::row));
    EXPECT_EQ(window.find<QSpinBox>("inputRow")->value(), static_cast<int>(number(1, test_row::row)));
}

TEST(Picture, EveryViewFollowsThePruningUntilItIsUndone)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(60));
    auto* bar         = window.find<QWidget>("pruningBar");
    auto* boxplots    = window->panel("boxplots");
    const auto before = data_table(boxplots->chart()).rows;
    EXPECT_TRUE(bar->isHidden());
    auto* share = window.find<QSlider>("prune");
    share->setValue(50);
    EXPECT_EQ(window->context().requests.chosen().prune.share, 0.5);
    EXPECT_FALSE(bar->isHidden());
    EXPECT_THAT(window.find<QLabel>("pruningWords")->text().toStdString(),
                testing::HasSubstr("50 % of weights removed by |μ|/σ"));
    for (const char* place : {"boxplots", "decision_map"})
        ASSERT_TRUE(window.waitFor([&] {
            return window->panel(QString::fromUtf8(place))->chart().caption.find("Pruned: 50 %") != std::string::npos;
        })) << place;
    EXPECT_NE(data_table(boxplots->chart()).rows, before);
    auto* score = window.find<QLabel>("pruneScore");
    ASSERT_TRUE(window.waitFor([&] { return score->text().startsWith(QStringLiteral("Accuracy ")); }));
    ASSERT_TRUE(window.waitFor([&] { return score->text().contains(QStringLiteral("with 10 samples, all")); }))
        << score->text().toStdString();
    auto* by = window.find<QComboBox>("pruneBy");
    by->setCurrentIndex(by->findData(static_cast<int>(PruneBy::magnitude)));
    window.find<QCheckBox>("pruneBiases")->setChecked(false);
    EXPECT_EQ(window->context().requests.chosen().prune,
              (PruneRule{.share = 0.5, .by = PruneBy::magnitude, .biases = false}));
    window.clickButton(QStringLiteral("takePruningBack"));
    EXPECT_EQ(share->value(), 0);
    EXPECT_TRUE(bar->isHidden());
    EXPECT_TRUE(score->text().isEmpty());
    ASSERT_TRUE(window.waitFor([&] { return data_table(boxplots->chart()).rows == before; }));
}

TEST(Picture, AClickOnTheMapMarksTheInputAndComputesNoMap)
{
    WindowDriver window;
    ASSERT_TRUE(waitForRefinedMap(window));
    QStringList made;
    QObject::connect(&window->context().scheduler, &ViewScheduler::pictures, &window.window(),
                     [&](const std::vector<ViewScheduler::Picture>& pictures) {
        for (const auto& picture : pictures)
            made += picture.place;
    });
    auto* map = window->panel("decision_map")->chartView();
    window.clickMap(0.5, 0.25);
    ASSERT_TRUE(map->mark());
    EXPECT_NEAR(map->mark()->x, 0.5, 0.05);
    EXPECT_NEAR(*map->mark()->y, 0.25, 0.05);
    ASSERT_TRUE(window.waitFor([&] { return made.contains("boxplots"); }));
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_FALSE(made.contains("decision_map"));
}

namespace {

/// Views without a panel of their own: who shows them instead.
const std::map<std::string, std::function<bool(WindowDriver&)>> shownElsewhere{
    {"regression_band",
     [](WindowDriver& window) {
    window->session().setStudy(preset("sine_gap"));
    return window.waitFor([&] { return window->panel("decision_map")->view().id == "regression_band"; });
     }},
    {"slice",
     [](WindowDriver& window) {
    const QTemporaryDir folder;
    const std::string file = folder.filePath("three.csv").toStdString();
    {
        std::ofstream rows(file);
        rows << "a,b,c,kind\n";
        for (int i = 0; i < 60; ++i)
            rows << i % 7 << ',' << i % 11 << ',' << i % 3 << ',' << (i % 2 == 0 ? "x" : "y") << '\n';
    }
    Study study       = window.study();
    study.data.source = DataSource::csv;
    study.data.file   = file;
    window->session().setStudy(study);
    return window.waitFor([&] { return window->panel("decision_map")->view().id == "slice"; });
     }},
    {"nearest_images",
     [](WindowDriver& window) { return window->imageWorkbench()->findChild<QWidget*>("imageNearest") != nullptr; }},
    };

}   // namespace

TEST(Picture, AClickOnALineOfTheNetworkSelectsItsWeight)
{
    WindowDriver window;
    Study study = default_study();
    set_field(study, "network.hidden=3");
    window->session().setStudy(study);
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    auto* panel = window.showView("network");
    ASSERT_TRUE(window.waitFor([&] { return panel->hasChart(); }));
    ASSERT_TRUE(window.waitForPictures());
    auto* view         = panel->chartView();
    const auto picture = network_picture(window->session().run().experiment->model.architecture, {}, {});
    const auto& edge   = picture.edges.at(8);   // into the outputs
    const double x     = edge.layer + 0.15;
    double sum = 0, n = 0;   // the middle of where it is the nearest
    for (double y = -1; y < 1; y += 0.01)
        if (edge_at(picture, x, y) == &edge) {
            sum += y;
            ++n;
        }
    ASSERT_GT(n, 5);
    ASSERT_TRUE(window.waitFor([&] { return view->shownRange(0) && view->panelRect(0).width() > 50; }));
    const QPoint p = view->positionOf(0, x, sum / n).toPoint();
    auto* target   = view->childAt(p);
    QTest::mouseClick(target, Qt::LeftButton, {}, target->mapFrom(view, p));
    EXPECT_EQ(window.find<QSpinBox>("weightIndex")->value(), static_cast<int>(edge.weight));
    EXPECT_TRUE(window.waitFor([&] {
        return summary_in_words(view->chart(), 20).find("selected: weight " + std::to_string(edge.weight))
               != std::string::npos;
    }));
}

TEST(PriorPredictive, ResampleDrawsOtherSamplesFromThePriorAlone)
{
    WindowDriver window;
    auto* panel = window.showView("prior_predictive");
    ASSERT_TRUE(window.waitFor([&] { return panel->hasChart() && panel->chart().panels.size() == 4; }));
    const auto map = [panel](std::size_t at) { return std::get<HeatMap>(panel->chart().panels.at(at).series.at(0)).z; };
    const auto mean = map(0), posterior = map(1), sample = map(2);
    window.clickButton("resamplePrior");
    ASSERT_TRUE(window.waitFor([&] { return panel->hasChart() && map(2) != sample; }));
    EXPECT_NE(map(0), mean);
    EXPECT_EQ(map(1), posterior);
    EXPECT_THAT(panel->chart().caption, testing::HasSubstr("Set 2 of samples from the prior."));
}

TEST(EveryView, IsShownInTheWindow)
{
    WindowDriver window;
    for (const auto& view : views()) {
        const auto elsewhere = shownElsewhere.find(view.id);
        EXPECT_TRUE(window->panel(QString::fromStdString(view.id))
                    || (elsewhere != shownElsewhere.end() && elsewhere->second(window)))
            << view.id;
    }
}

TEST(EveryView, UnassignedViewsFollowTheOthersOfTheirKind)
{
    WindowDriver window;
    auto* verdict = window->panel("verdict");
    ASSERT_NE(verdict, nullptr);
    const auto& pages = window.find<ViewArea>("inputTabs")->pages();
    const auto place  = [&](const QWidget* panel) {
        return std::find_if(pages.begin(), pages.end(), [panel](const auto& page) { return page.body == panel; })
               - pages.begin();
    };
    ASSERT_LT(place(verdict), std::ssize(pages));
    for (const auto* const named : {"boxplots", "intervals", "simplex", "beta_marginals"})
        ASSERT_GT(place(verdict), place(window->panel(named))) << named;
    EXPECT_TRUE(window.offers("verdict"));
    window.showView("verdict");
    ASSERT_TRUE(window.waitFor([&] { return verdict->hasChart(); }));
    EXPECT_EQ(verdict->chart().id, "verdict");
    EXPECT_EQ(verdict->chart().message, "");
}
