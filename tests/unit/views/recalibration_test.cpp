// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart.h"
#include "prediction/scores.h"
#include "prediction/set_predictions.h"
#include "views/conformal_sets.h"
#include "views/recalibration_fit.h"
#include "views/scores.h"
#include "views/view_support.h"

#include "unit/refusal.h"
#include "unit/views/drawn.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

using namespace credence;
using testing::HasSubstr;
using view_support::predictive_of;
using view_support::unrecalibrated_predictive_of;

namespace {

RunSnapshot recalibrated_run(RecalibrationKind kind, ToyKind toy = ToyKind::two_moons)
{
    auto study                       = small_study("mean_field", toy);
    study.data.toy.n                 = 120;
    study.split.calibration_fraction = 0.3;
    study.prediction.recalibration   = kind;
    return snapshot_of(study);
}

double score_of(const Table& table, const std::string& name)
{
    for (const auto& row : table.rows)
        if (row[0] == Cell(name))
            return std::get<double>(row[1]);
    return std::nan("");
}

std::string sentence_of_check(const Study& study)
{
    return refusal([&] { check(study); });
}

}   // namespace

TEST(RecalibratedRun, FitsOnceAndTransformsEverySample)
{
    const auto run    = recalibrated_run(RecalibrationKind::temperature);
    const auto fitted = recalibration_of(run, {});
    EXPECT_EQ(recalibration_of(run, {}), fitted);
    EXPECT_EQ(fitted->n_rows, static_cast<long>(run.experiment->data->calibration.n_rows));
    EXPECT_LE(fitted->nll_after, fitted->nll_before);
    EXPECT_NE(fitted->temperature, 1);

    const auto& data  = *run.experiment->data;
    const int n       = static_cast<int>(data.test.n_rows);
    auto expected     = unrecalibrated_predictive_of(run, {}).sample_classes(data.test_inputs, n);
    const auto before = classification_scores(set_predictions(expected, {}).classes, data.test.labels);
    recalibrate(*fitted, expected);
    EXPECT_EQ(predictive_of(run, {}).sample_classes(data.test_inputs, n).values, expected.values);
    const auto after = classification_scores(set_predictions(expected, {}).classes, data.test.labels);
    EXPECT_NE(after.nll, before.nll);
    EXPECT_NEAR(score_of(scores(run), "NLL"), after.nll, 1e-12);
    EXPECT_FALSE(std::isnan(score_of(scores(run), "Calibrated log likelihood")));
    EXPECT_EQ(score_of(scores(run), "Recalibration: temperature T"), fitted->temperature);

    const auto outputs = predictive_of(run, {}).sample_outputs(data.test_inputs, n);   // of figures, in float
    const auto summary = predictive_of(run, {}).summarise(data.test_inputs, n);        // of maps
    const auto set     = set_predictions(expected, {}).classes;
    for (std::size_t i = 0; i < expected.values.size(); ++i)
        EXPECT_NEAR(static_cast<double>(outputs.values[i]), std::exp(expected.values[i]), 1e-5);
    for (int i = 0; i < n; ++i) {
        EXPECT_NEAR(summary.mean[2 * static_cast<std::size_t>(i)], set.mean_of(i)[0], 1e-5);
        EXPECT_NEAR(summary.expected_entropy[i], set.expected_entropy[i], 1e-5);
    }
}

TEST(RecalibratedRun, ScalesTheSpreadOfARegression)
{
    const auto run    = recalibrated_run(RecalibrationKind::sigma, ToyKind::blundell_curve);
    const auto fitted = recalibration_of(run, {});
    const auto& data  = *run.experiment->data;
    const int n       = static_cast<int>(data.test.n_rows);
    const auto plain  = unrecalibrated_predictive_of(run, {}).sample_outputs(data.test_inputs, n),
               scaled = predictive_of(run, {}).sample_outputs(data.test_inputs, n);
    for (int i = 0; i < n; ++i) {
        double mean = 0;
        for (int s = 0; s < plain.n_samples; ++s)
            mean += static_cast<double>(plain.at(s, i, 0)) / plain.n_samples;
        for (int s = 0; s < plain.n_samples; ++s) {
            EXPECT_NEAR(static_cast<double>(scaled.at(s, i, 0)) - mean,
                        fitted->factor * (static_cast<double>(plain.at(s, i, 0)) - mean), 1e-4);
            EXPECT_NEAR(static_cast<double>(scaled.at(s, i, 1)),
                        fitted->factor * static_cast<double>(plain.at(s, i, 1)), 1e-4 * fitted->factor);
        }
    }
}

TEST(RecalibratedRun, MapsTheLevelsOfARegressionInScoresAndRows)
{
    const auto run    = recalibrated_run(RecalibrationKind::cdf, ToyKind::blundell_curve);
    const auto fitted = recalibration_of(run, {});
    EXPECT_LE(fitted->nll_after, fitted->nll_before);
    const auto& data   = *run.experiment->data;
    const int n        = static_cast<int>(data.test.n_rows);
    const auto numbers = [&](const PosteriorPredictive& predictive) {
        return regression_samples(view_of(predictive.sample_outputs(data.test_inputs, n)),
                                  run.experiment->model.likelihood, data.target_mean, data.target_sd);
    };
    auto samples = numbers(unrecalibrated_predictive_of(run, {}));
    recalibrate(*fitted, samples);
    const std::vector<double> targets(data.test.targets.begin(), data.test.targets.end());
    const auto expected = regression_scores(samples, targets, run.experiment->study.prediction.level);
    const auto table    = scores(run);
    EXPECT_NEAR(score_of(table, "NLL"), expected.nll, 1e-3);   // samples of runs are rounded to float
    EXPECT_NEAR(score_of(table, "Log likelihood, calibrated on the calibration rows"), -expected.nll, 1e-3);
    EXPECT_NEAR(score_of(table, "CRPS"), expected.crps, 1e-4);
    EXPECT_NEAR(score_of(table, "RMSE"), expected.rmse, 1e-4);

    const std::vector<double> knots{0, 0.25, 1}, frequencies{0, 0.5, 1};
    const auto by_hand = std::make_shared<const Recalibration>(
        Recalibration{.kind = RecalibrationKind::cdf, .factor = 2, .levels = {knots, frequencies}});
    const auto mapped = numbers(
        unrecalibrated_predictive_of(run, {}).recalibrated([&](const std::stop_token&) { return by_hand; }));
    auto scaled = numbers(unrecalibrated_predictive_of(run, {}));
    recalibrate({.kind = RecalibrationKind::sigma, .factor = 2}, scaled);
    const std::vector<double> half{0.5}, quarter{0.25};
    const auto median = predictive_quantiles(mapped, half)[0], quartile = predictive_quantiles(scaled, quarter)[0];
    for (int i = 0; i < n; ++i) {
        EXPECT_NEAR(median[i], quartile[i], 1e-4);
        EXPECT_LT(mean_function(mapped)[i], mean_function(scaled)[i]);
    }
}

TEST(RecalibratedRun, SharesTheCalibrationRowsWithConformalPrediction)
{
    for (const auto score : {ConformalScore::none, ConformalScore::normalised}) {
        auto run                         = recalibrated_run(RecalibrationKind::cdf, ToyKind::cubic);
        Study study                      = run.experiment->study;
        study.prediction.conformal.score = score;
        run.experiment                   = with_study(*run.experiment, study);
        const auto all                   = run.experiment->data->calibration.n_rows;
        const auto fit                   = static_cast<std::size_t>(recalibration_of(run, {})->n_rows);
        if (score == ConformalScore::none) {
            EXPECT_EQ(fit, all);
            continue;
        }
        const auto conformal = view_support::conformal_calibration(run, {}, {});
        EXPECT_EQ(fit + conformal->n, all);
        EXPECT_LE(std::max(fit, conformal->n) - std::min(fit, conformal->n), 2u);
        EXPECT_THAT(conformal->text(), HasSubstr("calibration rows that the recalibration does not use"));
        study.prediction.recalibration = RecalibrationKind::none;
        run.experiment                 = with_study(*run.experiment, study);
        EXPECT_EQ(view_support::conformal_calibration(run, {}, {})->n, all) << "without recalibration";
    }
}

TEST(RecalibrationView, ShowsTheObjectiveAndTheScoresBeforeAndAfter)
{
    for (const auto kind : {RecalibrationKind::none, RecalibrationKind::temperature, RecalibrationKind::vector}) {
        const auto run   = recalibrated_run(kind);
        const auto chart = drawn("recalibration", run);
        ASSERT_TRUE(chart.table);
        EXPECT_EQ(chart.table->columns.size(), 4u);
        EXPECT_EQ(chart.panels.size(), kind == RecalibrationKind::vector ? 3u : 1u);
        EXPECT_EQ(chart.panels.front().x.label, "Temperature T");
        if (kind != RecalibrationKind::none) {
            const auto nll = std::ranges::find_if(chart.table->rows,
                                                  [](const auto& row) { return row[0] == Cell(std::string("NLL")); });
            ASSERT_NE(nll, chart.table->rows.end());
            EXPECT_EQ(std::get<double>((*nll)[2]), score_of(scores(run), "NLL"));
        }
        const auto not_in_use = HasSubstr("It is not applied");
        if (kind == RecalibrationKind::none)
            EXPECT_THAT(chart.caption, not_in_use);
        else
            EXPECT_THAT(chart.caption, testing::Not(not_in_use));
    }
    EXPECT_EQ(drawn("recalibration", recalibrated_run(RecalibrationKind::sigma, ToyKind::blundell_curve))
                  .panels.front()
                  .x.label,
              "Factor c of the standard deviation");
    const auto levels = drawn("recalibration", recalibrated_run(RecalibrationKind::cdf, ToyKind::blundell_curve));
    ASSERT_EQ(levels.panels.size(), 2u);
    EXPECT_EQ(levels.panels[1].title, "Map of levels");
    EXPECT_THAT(levels.caption, HasSubstr("map of levels"));
    EXPECT_THAT(view("recalibration").why_not(*moons().experiment).value(), HasSubstr("calibration share"));
}

TEST(RecalibrationSetting, NeedsRowsSetAsideAndTheRightTask)
{
    auto study                     = small_study("mean_field");
    study.prediction.recalibration = RecalibrationKind::temperature;
    EXPECT_EQ(sentence_of_check(study),
              "prediction.recalibration | prediction.recalibration is temperature, but split.calibration_fraction is "
              "0; expected a share above 0, for example 0.2, since it is fitted on rows that are set aside.");
    EXPECT_THROW(require_method_fits(*with_study(*moons().experiment, study)), Error) << "also after training";
    study.split.calibration_fraction = 0.2;
    EXPECT_EQ(sentence_of_check(study), "");
    study.prediction.recalibration = RecalibrationKind::sigma;
    EXPECT_EQ(sentence_of_check(study), "prediction.recalibration | prediction.recalibration is sigma, but the target "
                                        "is a class; expected none, temperature or vector.");
}
