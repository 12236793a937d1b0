// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include "runs/laplace_fit.h"
#include "study/presets.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSlider>
#include <QStatusBar>
#include <QUndoStack>

#include <cmath>
#include <numeric>

using namespace credence;

namespace {

void openMoons(WindowDriver& window)
{
    window->session().setStudy(preset("two_moons_laplace"));
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    ASSERT_TRUE(window.waitForPictures());
}

std::shared_ptr<const LaplaceGaussian<float>> fitOf(WindowDriver& window)
{
    return laplace_of(*window->session().run().current().snapshot);
}

double meanEntropy(WindowDriver& window)
{
    const auto& map = std::get<HeatMap>(window->panel("decision_map")->chart().panels.front().series.front());
    return std::accumulate(map.z.begin(), map.z.end(), 0.0) / static_cast<double>(map.z.size());
}

bool waitForFit(WindowDriver& window)
{
    return window.waitFor([&] { return !window->session().currentRun().fitting(); }) && window.waitForPictures();
}

void moveSlider(WindowDriver& window, double logPrecision)
{
    auto* slider       = window.find<QSlider>("laplacePanel/precisionSlider");
    const double whole = std::log10(largest_precision / smallest_precision);
    slider->setValue(
        static_cast<int>(std::lround((logPrecision - std::log10(smallest_precision)) / whole * slider->maximum())));
}

}   // namespace

TEST(Laplace, ATrainedRunEndsWithItsCurvatureAndThePanelShowsThePrecision)
{
    WindowDriver window;
    openMoons(window);
    ASSERT_TRUE(window.train(400));
    ASSERT_TRUE(fitOf(window));
    EXPECT_THAT(window->session().run().report->message,
                testing::HasSubstr("Laplace approximation: Kronecker-factored"));
    EXPECT_EQ(window.find<QLineEdit>("laplacePanel/precision/line")->text().toDouble(),
              QString::number(fitOf(window)->precision(), 'g', 4).toDouble());
    EXPECT_TRUE(window->panel("laplace_evidence")->isVisible());
    EXPECT_EQ(window->panel("laplace_evidence")->chart().message, "");
}

TEST(Laplace, TheSliderUpdatesTheViewsAndUndoRevertsIt)
{
    WindowDriver window;
    openMoons(window);
    ASSERT_TRUE(window.train(400));
    const double before = fitOf(window)->precision();
    moveSlider(window, 6);
    ASSERT_TRUE(waitForFit(window));
    EXPECT_NEAR(fitOf(window)->precision(), 1e6, 1);
    const double sure = meanEntropy(window);
    for (double place = 6; place >= 0; place -= 0.5)   // a way of many places
        moveSlider(window, place);
    ASSERT_TRUE(waitForFit(window));
    EXPECT_NEAR(fitOf(window)->precision(), 1, 1e-3);
    EXPECT_GT(meanEntropy(window), sure + 0.02);
    EXPECT_EQ(window.study().posterior.laplace.precision_from, PrecisionFrom::hand);
    window->context().document.undo().undo();   // the whole way is one step
    ASSERT_TRUE(waitForFit(window));
    EXPECT_EQ(window.study().posterior.laplace.precision_from, PrecisionFrom::evidence);
    EXPECT_EQ(fitOf(window)->precision(), before);
    EXPECT_EQ(window->session().state(), Session::State::ended);   // nothing was trained again
}

TEST(Laplace, ADragAndALaterTypedValueAreTwoUndoSteps)
{
    WindowDriver window;
    openMoons(window);
    ASSERT_TRUE(window.train(400));
    moveSlider(window, 2);
    moveSlider(window, 3);
    ASSERT_TRUE(waitForFit(window));
    window.type("laplacePanel/precision/line", "37");
    ASSERT_TRUE(waitForFit(window));
    window->context().document.undo().undo();
    EXPECT_NEAR(window.study().posterior.laplace.precision, 1000, 1);
    window->context().document.undo().undo();
    EXPECT_EQ(window.study().posterior.laplace.precision_from, PrecisionFrom::evidence);
    ASSERT_TRUE(waitForFit(window));
}

TEST(Laplace, ATypedPrecisionAndTheButtonsChangeIt)
{
    WindowDriver window;
    openMoons(window);
    ASSERT_TRUE(window.train(400));
    window.type("laplacePanel/precision/line", "37");
    ASSERT_TRUE(waitForFit(window));
    EXPECT_EQ(fitOf(window)->precision(), 37);
    window.type("laplacePanel/precision/line", "-1");
    EXPECT_EQ(fitOf(window)->precision(), 37);   // an invalid precision is not applied
    EXPECT_THAT(window->statusBar()->currentMessage().toStdString(),
                testing::HasSubstr("posterior.laplace_precision is -1"));
    EXPECT_EQ(window.find<QLineEdit>("laplacePanel/precision/line")->text(), "37");
    window.clickButton("laplacePanel/evidence");
    ASSERT_TRUE(waitForFit(window));
    EXPECT_EQ(fitOf(window)->precision(), fitOf(window)->curvature()->best_precision());
    window.find<QLineEdit>("laplacePanel/target")->setText("0.8");
    window.clickButton("laplacePanel/confidence");
    ASSERT_TRUE(waitForFit(window));
    const auto run = window->session().run().current();
    EXPECT_NEAR(*mean_confidence(*run.experiment, run.snapshot->posterior), 0.8, 0.01);
    window.find<QLineEdit>("laplacePanel/target")->setText("5 %");   // below the point estimate
    window.clickButton("laplacePanel/confidence");
    ASSERT_TRUE(waitForFit(window));
    EXPECT_EQ(window.study().posterior.laplace.precision_from, PrecisionFrom::confidence_below);
    EXPECT_NEAR(compared_confidence(*window->session().run().current().experiment, fitOf(window))->percent_below(), 5,
                0.5);
    EXPECT_EQ(window.find<QLineEdit>("laplacePanel/target")->text(), "5 %");
}

TEST(Laplace, AnInvalidTargetConfidenceIsMarkedAndNothingChanges)
{
    WindowDriver window;
    openMoons(window);
    ASSERT_TRUE(window.train(400));
    auto* target  = window.find<QLineEdit>("laplacePanel/target");
    auto* mistake = window.find<QLabel>("laplacePanel/targetMistake");
    ASSERT_TRUE(mistake->isHidden());
    const double before = fitOf(window)->precision();
    const auto study    = window.study();
    for (const auto& [typed, found] : {std::pair{"95", "95"}, {"0,95", "0,95"}, {"abc", "abc"}, {"120 %", "120"}}) {
        window.type("laplacePanel/target", QString::fromLatin1(typed));
        EXPECT_FALSE(mistake->isHidden()) << typed;
        EXPECT_THAT(mistake->text().toStdString(),
                    testing::AllOf(testing::HasSubstr(found), testing::HasSubstr("expected")))
            << typed;
        EXPECT_EQ(target->text(), typed) << "it can be corrected";
    }
    ASSERT_TRUE(waitForFit(window));
    EXPECT_EQ(fitOf(window)->precision(), before);
    EXPECT_TRUE(window.study() == study);
    window.type("laplacePanel/target", "0.8");
    EXPECT_TRUE(mistake->isHidden());
    ASSERT_TRUE(waitForFit(window));
    EXPECT_EQ(window.study().posterior.laplace.confidence, 0.8);
}

TEST(Laplace, AnotherStructureFitsTheCurvatureAgainWithoutTraining)
{
    WindowDriver window;
    openMoons(window);
    ASSERT_TRUE(window.train(400));
    const std::vector<float> before(fitOf(window)->means().begin(), fitOf(window)->means().end());
    window.choose("laplacePanel/laplace_structure", "diagonal");
    ASSERT_TRUE(waitForFit(window));
    EXPECT_EQ(fitOf(window)->curvature()->options().structure, CurvatureStructure::diagonal);
    window.choose("laplacePanel/laplace_layers", "last");
    ASSERT_TRUE(waitForFit(window));
    EXPECT_EQ(fitOf(window)->curvature()->options().layers, CurvatureLayers::last);
    EXPECT_EQ(std::vector<float>(fitOf(window)->means().begin(), fitOf(window)->means().end()), before);
    EXPECT_EQ(window->session().run().current().snapshot->point.step, 400);
}

TEST(Laplace, ThePredictionMethodUpdatesTheViewsWithoutTrainingAndUndoRevertsIt)
{
    WindowDriver window;
    openMoons(window);
    ASSERT_TRUE(window.train(400));
    const auto curvature    = fitOf(window)->curvature();
    const double linearised = meanEntropy(window);
    window.choose("posterior.laplace_predictive/editor", "weights");
    ASSERT_TRUE(waitForFit(window));
    EXPECT_EQ(window.study().posterior.laplace.predictive, LaplacePredictive::weights);
    EXPECT_GT(meanEntropy(window), linearised + 0.05);
    EXPECT_EQ(fitOf(window)->curvature(), curvature);
    EXPECT_EQ(window->session().state(), Session::State::ended);
    window->context().document.undo().undo();
    ASSERT_TRUE(waitForFit(window));
    EXPECT_EQ(window.study().posterior.laplace.predictive, LaplacePredictive::linearised);
    EXPECT_EQ(meanEntropy(window), linearised);
}

TEST(Laplace, AStoppedRunOffersItsCurvature)
{
    WindowDriver window;
    openMoons(window);
    window.setSteps(100000000);
    window.clickAction("train");
    ASSERT_TRUE(window.waitFor([&] { return window->session().run().current().snapshot->point.step > 5; }));
    window.clickAction("stop");
    ASSERT_TRUE(window.waitForState(Session::State::ended));
    EXPECT_FALSE(fitOf(window));
    EXPECT_THAT(window->session().run().report->message, testing::HasSubstr("The curvature was not fitted"));
    EXPECT_FALSE(window.find<QSlider>("laplacePanel/precisionSlider")->isEnabled());
    const int runs = window->context().runs.rowCount();
    window.clickButton("laplacePanel/fit");
    ASSERT_TRUE(window.waitFor([&] { return fitOf(window) != nullptr; }));
    EXPECT_TRUE(window.find<QSlider>("laplacePanel/precisionSlider")->isEnabled());
    EXPECT_FALSE(window.find<QPushButton>("laplacePanel/fit")->isVisible());
    EXPECT_EQ(window->context().runs.rowCount(), runs + 1);
}

TEST(Laplace, ThePanelIsShownOnlyForLaplaceRuns)
{
    WindowDriver window;
    EXPECT_FALSE(window.find<QWidget>("laplacePanel")->isVisible());
    openMoons(window);
    EXPECT_TRUE(window.find<QWidget>("laplacePanel")->isVisible());
    window->session().setStudy(preset("two_moons_mean_field"));
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_FALSE(window.find<QWidget>("laplacePanel")->isVisible());
}
