// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/training_errors.h"

#include "unit/families.h"

#include <gtest/gtest.h>

#include <limits>

namespace credence {
namespace {

/// A network that predicts class 1 for x > 0 regardless of training.
std::shared_ptr<const Posterior> always_positive(const ParameterLayout& layout)
{
    const std::vector<float> weights{-1, 1, 0, 0};
    return make_posterior<float>(layout, {.family = "point_estimate"}, weights);
}

SplitData sorted_data(std::size_t n)
{
    SplitData data;
    data.training.task       = Task::classification;
    data.training.n_rows     = n;
    data.training.n_features = 1;
    for (std::size_t i = 0; i < n; ++i) {   // all inputs positive; the first quarter of the rows is of class 0
        data.training_inputs.push_back(1);
        data.training.labels.push_back(i < n / 4 ? 0 : 1);
    }
    data.test.task       = Task::classification;
    data.test.n_features = 1;
    return data;
}

TEST(TrainingErrors, AreTheShareOfWrongRowsAndEmptyWithoutRows)
{
    const Model model{mlp(1, {}, 2), {}, false};
    const TrainingErrors errors = make_evaluator(model, sorted_data(100),
                                                 1)(always_positive(layout_of(model.architecture)), {});
    EXPECT_DOUBLE_EQ(errors.training.value(), 0.25);
    EXPECT_FALSE(errors.test.has_value());
}

TEST(TrainingErrors, AreEmptyWherePredictionsAreNotFinite)
{
    const Model model{mlp(1, {}, 2), {}, false};
    const float infinite = std::numeric_limits<float>::infinity();
    const std::vector<float> weights{-infinite, infinite, 0, 0};
    const auto posterior = make_posterior<float>(layout_of(model.architecture), {.family = "point_estimate"}, weights);
    EXPECT_FALSE(make_evaluator(model, sorted_data(100), 1)(std::shared_ptr<const Posterior>(posterior->clone()), {})
                     .training.has_value());
}

TEST(TrainingErrors, AreEmptyAfterAStop)
{
    const Model model{mlp(1, {}, 2), {}, false};
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(
        make_evaluator(model, sorted_data(100), 1)(always_positive(layout_of(model.architecture)), stop.get_token())
            .training.has_value());
}

TEST(TrainingErrors, OfALargeSortedSetSampleRowsEvenly)
{
    const Model model{mlp(1, {}, 2), {}, false};
    const TrainingErrors errors = make_evaluator(model, sorted_data(40000),
                                                 1)(always_positive(layout_of(model.architecture)), {});
    EXPECT_NEAR(errors.training.value(), 0.25, 1e-3);
}

TEST(TrainingErrors, WithoutALimitUseTheWholeTestSetAndAsManyTrainingRows)
{
    const Model model{mlp(1, {}, 2), {}, false};
    SplitData data   = sorted_data(8000);   // the first 2,000 training rows are wrong: one of four in any even sample
    const auto more  = sorted_data(4001);
    data.test        = more.training;
    data.test_inputs = more.training_inputs;
    data.test.labels.back()  = 0;   // visible only with all rows
    const auto posterior     = always_positive(layout_of(model.architecture));
    const TrainingErrors all = make_evaluator(model, data, 1, {.rows = 0, .draws = 1})(posterior, {});
    EXPECT_DOUBLE_EQ(all.test.value(), 1001.0 / 4001);
    EXPECT_NEAR(all.training.value(), 0.25, 1.0 / 4001);
    EXPECT_NE(make_evaluator(model, data, 1, {.rows = 100})(posterior, {}).test, all.test);
}

TEST(TrainingErrors, OfRegressionAreTheRootMeanSquareInTargetUnits)
{
    const Model model{mlp(1, {}, 1), Likelihood::gaussian(1.0), false};
    SplitData data;
    data.training.task       = Task::regression;
    data.training.n_rows     = 2;
    data.training.n_features = 1;
    data.training_inputs     = {1, 1};
    data.training.targets    = {10, 14};
    data.target_mean         = 8;
    data.target_sd           = 2;
    data.test.task           = Task::regression;
    const std::vector<float> weights{1, 0};   // f = 1: in target units 10
    const auto posterior = make_posterior<float>(layout_of(model.architecture), {.family = "point_estimate"}, weights);
    EXPECT_NEAR(
        make_evaluator(model, data, 1)(std::shared_ptr<const Posterior>(posterior->clone()), {}).training.value(),
        std::sqrt(8.0), 1e-6);
}

}   // namespace
}   // namespace credence
