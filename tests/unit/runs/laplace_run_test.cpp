// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "foundation/parallel.h"
#include "runs/experiment.h"
#include "runs/laplace_fit.h"
#include "unit/runs/laplace_moons.h"
#include "views/chosen_logits.h"
#include "views/views.h"

#include "unit/views/drawn.h"

#include <gmock/gmock.h>

#include <atomic>
#include <set>
#include <thread>

using namespace credence;
using namespace laplace_moons;
using testing::HasSubstr;
using testing::Not;

TEST(LaplaceRun, EndsWithAGaussianAtTheTrainedWeights)
{
    const auto& [experiment, run] = ended_moons();
    const auto fitted             = laplace_of(*run.report.last);
    ASSERT_TRUE(fitted);
    EXPECT_EQ(run.report.stop, StopReason::steps_done);
    EXPECT_EQ(run.report.last->point.step, 300);
    EXPECT_THAT(run.report.message,
                HasSubstr("All steps are done. Laplace approximation: Kronecker-factored, all layers, λ = "));
    // The weights are those of the point estimate that the same Study trains.
    Study plain            = small_study();
    plain.posterior.family = "point_estimate";
    const auto estimate    = trained(plain).run.report.last;
    const auto means       = fitted->means();
    const auto weights     = estimate->posterior->means();
    EXPECT_TRUE(std::equal(means.begin(), means.end(), weights.begin(), weights.end()));
    EXPECT_TRUE(fitted->has_weight_noise());
}

TEST(LaplaceRun, OnlyTheLastPointHasSpread)
{
    const auto& history = ended_moons().run.history;
    ASSERT_GT(history.size(), 2u);
    EXPECT_LT(history[history.size() - 2].step, history.back().step);   // one point for each step
    EXPECT_EQ(history[history.size() - 2].layers.front().median_sd, 0);
    EXPECT_GT(history.back().layers.front().median_sd, 0);
}

TEST(LaplaceRun, TheFittedSnapshotIsRecordedAgainAtTheLastStep)
{
    const auto experiment = prepare(small_study());
    std::vector<std::shared_ptr<const Snapshot>> recorded;
    std::vector<double> shares;
    TrainingEvents events;
    events.recorded = [&](std::shared_ptr<const Snapshot> snapshot) { recorded.push_back(std::move(snapshot)); };
    events.progress = [&](const TrainingProgress& progress) {
        if (progress.curvature)
            shares.push_back(*progress.curvature);
    };
    train(*experiment, {}, nullptr, events);
    ASSERT_GE(recorded.size(), 2u);
    EXPECT_EQ(recorded[recorded.size() - 2]->point.step, recorded.back()->point.step);
    EXPECT_FALSE(laplace_of(*recorded[recorded.size() - 2]));
    EXPECT_TRUE(laplace_of(*recorded.back()));
    EXPECT_FALSE(shares.empty());
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
}

TEST(LaplaceRun, TheSameStudyGivesTheSameBitsForAnyNumberOfThreads)
{
    for (const auto structure : structures) {
        std::vector<float> first;
        double precision = 0;
        for (const int threads : {1, 2, 7}) {
            Threads pool(threads);
            std::vector<float> draws;
            double now = 0;
            pool.run([&] {
                const auto end = trained(small_study(structure)).run.report.last;
                draws          = draws_of(*end->posterior);
                now            = laplace_of(*end)->precision();
            });
            if (first.empty()) {
                first     = draws;
                precision = now;
            }
            EXPECT_EQ(draws, first) << threads << " threads, structure " << static_cast<int>(structure);
            EXPECT_EQ(now, precision);
        }
    }
}

TEST(LaplaceRun, AStopInTheCurvatureLeavesThePointEstimateAndStatesThis)
{
    const auto experiment = prepare(small_study());
    std::stop_source stop;
    TrainingEvents events;
    events.progress = [&](const TrainingProgress& progress) {
        if (progress.curvature)
            stop.request_stop();
    };
    const auto run = train(*experiment, stop.get_token(), nullptr, events);
    EXPECT_EQ(run.report.stop, StopReason::cancelled);
    EXPECT_EQ(run.report.message, "Cancelled while fitting the curvature; the result is the point estimate.");
    ASSERT_TRUE(run.report.last);
    EXPECT_FALSE(laplace_of(*run.report.last));
    EXPECT_EQ(run.report.last->point.step, 300);
}

TEST(LaplaceRun, AStopInTheTrainingLeavesThePointEstimateWhichCanBeFittedLater)
{
    Study study           = small_study();
    study.training.steps  = 100000000;
    const auto experiment = prepare(study);
    std::stop_source stop;
    TrainingEvents events;
    events.snapshot = [&](const std::shared_ptr<const Snapshot>& snapshot) {
        if (snapshot->point.step > 50)
            stop.request_stop();
    };
    const auto run = train(*experiment, stop.get_token(), nullptr, events);
    EXPECT_EQ(run.report.stop, StopReason::cancelled);
    EXPECT_THAT(run.report.message, HasSubstr("The curvature was not fitted; the result is the point estimate."));
    const auto later = fit_laplace(*experiment, *run.report.last, study.posterior.laplace);
    ASSERT_TRUE(later.snapshot);
    EXPECT_EQ(later.snapshot->point.step, run.report.last->point.step);
    EXPECT_TRUE(laplace_of(*later.snapshot));
}

TEST(LaplaceRun, PausesInTheCurvature)
{
    const auto experiment = prepare(small_study());
    TrainingControl control;
    std::atomic<bool> reached = false, ended = false;
    TrainingEvents events;
    events.progress = [&](const TrainingProgress& progress) {
        if (progress.curvature && !reached.exchange(true))
            control.pause();
    };
    std::jthread thread([&] {
        train(*experiment, {}, &control, events);
        ended = true;
    });
    while (!reached)
        std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_FALSE(ended);
    control.resume();
    thread.join();
    EXPECT_TRUE(ended);
}

TEST(LaplaceFit, AnotherPrecisionNeedsNoNewCurvature)
{
    const auto& [experiment, run] = ended_moons();
    LaplaceOptions options        = experiment->study.posterior.laplace;
    options.precision_from        = PrecisionFrom::hand;
    options.precision             = 123;
    const auto moved              = laplace_of(*fit_laplace(*experiment, *run.report.last, options).snapshot);
    EXPECT_EQ(moved->precision(), 123);
    EXPECT_EQ(moved->curvature(), laplace_of(*run.report.last)->curvature());
    options.curvature.structure = CurvatureStructure::diagonal;
    const auto other            = laplace_of(*fit_laplace(*experiment, *run.report.last, options).snapshot);
    EXPECT_EQ(other->curvature()->options().structure, CurvatureStructure::diagonal);
    EXPECT_EQ(std::vector<float>(other->means().begin(), other->means().end()),
              std::vector<float>(moved->means().begin(), moved->means().end()));
}

TEST(LaplaceFit, TheEvidenceIsLargestAtThePrecisionThatItChooses)
{
    const auto fitted = laplace_of(*ended_moons().run.report.last);
    const auto value  = [&](double factor) { return fitted->curvature()->log_evidence(factor * fitted->precision()); };
    EXPECT_GT(value(1), value(1.1));
    EXPECT_GT(value(1), value(1 / 1.1));
}

TEST(LaplaceFit, TheTargetConfidenceIsMet)
{
    const auto& [experiment, run] = ended_moons();
    LaplaceOptions options        = experiment->study.posterior.laplace;
    const auto most               = mean_confidence(*experiment, std::make_shared<LaplaceGaussian<float>>(
                                                       laplace_of(*run.report.last)->curvature(), largest_precision));
    options.precision_from        = PrecisionFrom::confidence;
    options.confidence            = *most - 0.05;
    const auto fit                = fit_laplace(*experiment, *run.report.last, options);
    EXPECT_EQ(fit.note, "");
    EXPECT_NEAR(*mean_confidence(*experiment, fit.snapshot->posterior), options.confidence, 0.005);
}

TEST(LaplaceFit, AnUnreachableTargetGivesTheNearestPrecisionAndStatesThis)
{
    const auto& [experiment, run] = ended_moons();
    LaplaceOptions options        = experiment->study.posterior.laplace;
    options.precision_from        = PrecisionFrom::confidence;
    options.confidence            = 0.999999;
    const auto fit                = fit_laplace(*experiment, *run.report.last, options);
    EXPECT_EQ(laplace_of(*fit.snapshot)->precision(), largest_precision);
    EXPECT_THAT(fit.note, HasSubstr("No prior precision gives the target confidence 1; at λ = 1e+08 it is "));
}

TEST(LaplaceFit, TheConfidenceIsTheGivenPercentageBelowThatOfThePointEstimate)
{
    const auto& [experiment, run] = ended_moons();
    Study plain                   = small_study();
    plain.posterior.family        = "point_estimate";
    const auto estimate           = trained(plain);
    const double map              = *mean_confidence(*estimate.experiment, estimate.run.report.last->posterior);
    LaplaceOptions options        = experiment->study.posterior.laplace;
    options.precision_from        = PrecisionFrom::confidence_below;
    double before                 = largest_precision;
    for (const double percent : {2.0, 5.0, 20.0}) {
        options.confidence_below = percent;
        const auto fit           = fit_laplace(*experiment, *run.report.last, options);
        EXPECT_EQ(fit.note, "");
        ASSERT_TRUE(fit.confidence);
        EXPECT_NEAR(fit.confidence->map, map, 1e-6);   // that of the same network without any spread
        EXPECT_EQ(fit.confidence->reached, *mean_confidence(*experiment, fit.snapshot->posterior));
        EXPECT_NEAR(fit.confidence->percent_below(), percent, 0.5);
        EXPECT_LT(laplace_of(*fit.snapshot)->precision(), before);   // the lower, the wider the posterior
        before = laplace_of(*fit.snapshot)->precision();
    }
    options.confidence_below = 90;   // two classes: at least 0.5
    const auto nearest       = fit_laplace(*experiment, *run.report.last, options);
    EXPECT_THAT(nearest.note, HasSubstr(", 90 % below that of the point estimate; at λ = 1e-06 it is "));
}

TEST(LaplaceFit, EverySeedIsMatchedSeparatelyAndReportsTheResult)
{
    Study study                            = small_study();
    study.posterior.laplace.precision_from = PrecisionFrom::confidence_below;
    const auto one                         = trained(study);
    study.seed                             = 2;
    const auto other                       = trained(study);
    EXPECT_NE(laplace_of(*one.run.report.last)->precision(), laplace_of(*other.run.report.last)->precision());
    for (const auto* ended : {&one, &other}) {
        const auto reached = compared_confidence(*ended->experiment, laplace_of(*ended->run.report.last));
        EXPECT_NEAR(reached->percent_below(), 5, 0.5);
        EXPECT_THAT(ended->run.report.message, HasSubstr(" " + words_of(*reached) + "."));
    }
}

TEST(LaplaceFit, TheMessageNamesBothConfidencesAndTheirDifference)
{
    EXPECT_EQ(words_of({.map = 0.99, .reached = 0.9405}),
              "Mean confidence on the training data 0.9405, 5.0 % below the 0.99 of the point estimate");
    EXPECT_EQ(words_of({.map = 0.8, .reached = 0.84}),
              "Mean confidence on the training data 0.84, 5.0 % above the 0.8 of the point estimate");
}

TEST(LaplaceFit, ImpossibleFitsAreRejectedBeforeTraining)
{
    Study classes_wanted = small_study(CurvatureStructure::kronecker, ToyKind::blundell_curve);
    classes_wanted.posterior.laplace.precision_from = PrecisionFrom::confidence;
    EXPECT_THAT(
        refusal([&] { prepare(classes_wanted); }),
        HasSubstr(
            "posterior.laplace_precision_from | posterior.laplace_precision_from is confidence, but the data have "
            "no classes"));
    classes_wanted.posterior.laplace.precision_from = PrecisionFrom::confidence_below;
    EXPECT_THAT(refusal([&] { prepare(classes_wanted); }),
                HasSubstr("posterior.laplace_precision_from is confidence_below_map, but the data have no classes"));
    Study large          = small_study(CurvatureStructure::full);
    large.network.hidden = {3000, 3000};
    EXPECT_THAT(refusal([&] { prepare(large); }), HasSubstr("posterior.laplace_structure | "));
}

TEST(LaplaceFit, RegressionIsFittedAsWell)
{
    const auto ended = trained(small_study(CurvatureStructure::full, ToyKind::blundell_curve));
    ASSERT_TRUE(laplace_of(*ended.run.report.last)) << ended.run.report.message;
    const auto band = drawn("regression_band", ended.snapshot());
    EXPECT_EQ(band.message, "");
}

/// The same run with the other prediction method.
RunSnapshot predicting_by(LaplacePredictive predictive, const RunSnapshot& current)
{
    Study study                        = current.experiment->study;
    study.posterior.laplace.predictive = predictive;
    return {with_study(*current.experiment, study), current.snapshot, current.history};
}

TEST(LaplacePredictive, IsThatOfTheStudyAlsoWhenItChangesAfterTheTraining)
{
    const auto linearised = predicting_by(LaplacePredictive::linearised, ended_moons().snapshot());
    EXPECT_FALSE(ended_moons().experiment->model.linearised_at_prediction);
    EXPECT_TRUE(linearised.experiment->model.linearised_at_prediction);
    EXPECT_TRUE(prepare(linearised.experiment->study)->model == linearised.experiment->model);
    EXPECT_TRUE(predicting_by(LaplacePredictive::weights, linearised).experiment->model
                == ended_moons().experiment->model);
    Study other            = linearised.experiment->study;
    other.posterior.family = "mean_field";
    EXPECT_FALSE(prepare(other)->model.linearised_at_prediction);
}

TEST(LaplacePredictive, EveryPredictingViewFollowsItAndStatesThis)
{
    const auto linearised = predicting_by(LaplacePredictive::linearised, ended_moons().snapshot());
    ViewOptions options;
    options.map.cells = 6;
    for (const char* id : {"decision_map", "boxplots", "intervals", "scores", "verdict", "calibration", "certainty"}) {
        const auto by_weights    = drawn(id, ended_moons().snapshot(), options),
                   by_linearised = drawn(id, linearised, options);
        EXPECT_EQ(by_linearised.message, "") << id;
        EXPECT_NE(to_csv(data_table(by_weights)), to_csv(data_table(by_linearised))) << id;
        EXPECT_THAT(by_linearised.caption, HasSubstr(", linearised network)")) << id;
        EXPECT_THAT(by_weights.caption, Not(HasSubstr("linearised network"))) << id;
    }
    const auto curve = [&](const RunSnapshot& current) {
        return std::get<Line>(drawn("laplace_evidence", current).panels[1].series[0]).y;
    };
    EXPECT_NE(curve(ended_moons().snapshot()), curve(linearised));
}

TEST(LaplacePredictive, AViewThatComparesWithWeightSamplesUsesThem)
{
    const auto linearised = predicting_by(LaplacePredictive::linearised, ended_moons().snapshot());
    const auto draws      = [](const RunSnapshot& current) {
        return chosen_logits(current, {}, LogitsBy::samples)->covariance();
    };
    EXPECT_EQ(draws(linearised), draws(ended_moons().snapshot()));
    const auto weights_of = [](const RunSnapshot& current) {
        const auto scores = bridge_scores_of(current, {}, {});
        return std::pair(scores->methods[2].name, scores->methods[2].mmc);
    };
    EXPECT_EQ(weights_of(linearised).first, "30 samples of the weights");
    EXPECT_EQ(weights_of(linearised), weights_of(ended_moons().snapshot()));
}

TEST(LaplacePredictive, OfRegressionGivesABandByLinearisedFunctions)
{
    const auto ended      = trained(small_study(CurvatureStructure::full, ToyKind::blundell_curve));
    const auto linearised = predicting_by(LaplacePredictive::linearised, ended.snapshot());
    const auto band = [](const RunSnapshot& current) { return to_csv(data_table(drawn("regression_band", current))); };
    EXPECT_NE(band(linearised), band(ended.snapshot()));
}

TEST(LaplaceViews, AllThatApplyAreDrawnBeforeAndAfterTheCurvature)
{
    const auto& [experiment, run] = ended_moons();
    auto estimate                 = std::make_shared<Snapshot>(Snapshot{experiment->start, run.report.last->point});
    ViewOptions options;
    options.map.cells = 6;
    std::set<std::string> drawn_ones;
    for (const auto& v : views()) {
        if (!v.applies(*experiment))
            continue;
        drawn_ones.insert(v.id);
        const auto after = drawn(v.id, ended_moons().snapshot(), options);
        EXPECT_EQ(after.message, "") << v.id;
        EXPECT_THAT(after.caption.empty() ? "(Kronecker" : after.caption, HasSubstr("(Kronecker")) << v.id;
        const auto before = refusal_of(v.id, {experiment, estimate, ended_moons().snapshot().history}, options);
        const std::set<std::string> of_spread{"laplace_evidence", "signal_to_noise", "one_weight"},
            of_logits{"beta_marginals", "list_lengths", "simplex", "laplace_maps", "bridge_scores"};
        if (of_spread.contains(v.id))
            EXPECT_THAT(before, HasSubstr("This is the point estimate")) << v.id;
        else if (of_logits.contains(v.id))
            EXPECT_NE(before, "") << v.id;   // they vary when the weights do
        else
            EXPECT_EQ(before, "") << v.id;
    }
    for (const char* id : {"laplace_evidence", "signal_to_noise", "laplace_maps", "bridge_scores", "decision_map"})
        EXPECT_TRUE(drawn_ones.contains(id)) << id;
}

TEST(LaplaceViews, TheEvidenceIsDrawnWithItsMaximumAndTheCurrentPrecision)
{
    const auto chart = drawn("laplace_evidence", ended_moons().snapshot());
    ASSERT_EQ(chart.panels.size(), 2u);
    const auto& line    = std::get<Line>(chart.panels[0].series[0]);
    const auto& maximum = std::get<Points>(chart.panels[0].series[1]);
    const auto& now     = std::get<Points>(chart.panels[0].series[2]);
    EXPECT_GE(maximum.y[0], *std::max_element(line.y.begin(), line.y.end()));
    EXPECT_EQ(now.x[0], laplace_of(*ended_moons().run.report.last)->precision());
    EXPECT_TRUE(chart.panels[0].x.logarithmic);
    const auto& sure = std::get<Line>(chart.panels[1].series[0]);
    EXPECT_LT(sure.y.front(), sure.y.back());
}

TEST(LaplaceViews, AWeightOfAFixedLayerIsMarkedAsFixed)
{
    Study study                              = small_study();
    study.posterior.laplace.curvature.layers = CurvatureLayers::last;
    const auto ended                         = trained(study);
    ViewOptions options;
    options.weight = 0;
    EXPECT_THAT(drawn("one_weight", ended.snapshot(), options).message, HasSubstr("Weight 0 stays at its MAP value"));
    options.weight = ended.experiment->start->layout().size() - 1;
    EXPECT_EQ(drawn("one_weight", ended.snapshot(), options).message, "");
    EXPECT_EQ(drawn("signal_to_noise", ended.snapshot(), options).message, "");
}
