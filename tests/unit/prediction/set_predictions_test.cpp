// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/set_predictions.h"

#include "foundation/error.h"
#include "foundation/parallel.h"
#include "unit/families.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;

namespace {

constexpr double levels[] = {0.8, 0.95, 0.99999};

std::vector<float> draws(int S, int N, int K)
{
    std::vector<float> p(static_cast<std::size_t>(S) * N * K);
    for (std::size_t row = 0; row < p.size() / K; ++row) {
        float sum = 0;
        for (int k = 0; k < K; ++k)
            sum += p[row * K + k] = static_cast<float>(
                std::exp(6
                         * std::fmod(0.7548776662466927 * static_cast<double>((row % N) * K + k)
                                         + 0.003 * static_cast<double>(row / N),
                                     1.0)));
        for (int k = 0; k < K; ++k)
            p[row * K + k] /= sum;
    }
    return p;
}

/// The same numbers in double, as they are: no logarithms.
ClassSamples samples_of(const std::vector<float>& p, int S, int N, int K)
{
    return {S, N, K, {p.begin(), p.end()}, false};
}

Model small_model() { return {.architecture = mlp(3, {8}, 4), .likelihood = {LikelihoodKind::softmax}}; }

PosteriorPredictive predictive()
{
    const auto layout = layout_of(small_model().architecture);
    return {small_model(),
            make_posterior<float>(layout, {.family = "mean_field", .initial_sd = 0.7},
                                  initial_weights(layout, Initialisation::he, 5)),
            20, 7};
}

std::vector<float> inputs(int n)
{
    std::vector<float> out(3 * static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = static_cast<float>(std::sin(0.9 * static_cast<double>(i)));
    return out;
}

void expect_equal(const SetPredictions& a, const SetPredictions& b)
{
    EXPECT_EQ(a.classes.mean, b.classes.mean);
    EXPECT_EQ(a.classes.predicted, b.classes.predicted);
    EXPECT_EQ(a.classes.entropy, b.classes.entropy);
    EXPECT_EQ(a.classes.expected_entropy, b.classes.expected_entropy);
    EXPECT_EQ(a.classes.mutual_information, b.classes.mutual_information);
    ASSERT_EQ(a.certainty.size(), b.certainty.size());
    for (std::size_t l = 0; l < a.certainty.size(); ++l) {
        EXPECT_EQ(a.certainty[l].disjoint, b.certainty[l].disjoint) << "level " << a.levels[l];
        EXPECT_EQ(a.certainty[l].probable, b.certainty[l].probable) << "level " << a.levels[l];
    }
}

}   // namespace

TEST(SetPredictions, AreThoseOfAllDrawsAtOnce)
{
    const auto p = draws(31, 50, 4);
    const SampleView<float> view{p, 31, 50, 4};
    const auto set = set_predictions(samples_of(p, 31, 50, 4), levels);
    SetPredictions expected{
        .classes = class_predictions(view), .levels = {std::begin(levels), std::end(levels)}, .n_samples = 31};
    for (const auto& intervals : credible_intervals_at(view, levels))
        expected.certainty.push_back(certainty(expected.classes, intervals));
    expect_equal(set, expected);
    EXPECT_EQ(set.classes.confidence, expected.classes.confidence);
    EXPECT_EQ(set.n_samples, 31);
    EXPECT_THAT(set.certainty[0].disjoint,
                testing::AllOf(testing::Contains(0), testing::Contains(1)));   // both verdicts were tried
}

TEST(SetPredictions, OfManyClassesAreThoseOfAllDrawsAtOnceToo)   // most classes are never sorted
{
    constexpr int S = 23, N = 40, K = 60;
    auto p = draws(S, N, K);
    for (std::size_t row = 0; row < p.size() / K; ++row)
        if (row % N
            < N / 2) {   // half of the inputs have a class that is far ahead, by a share that the draws do not agree on
            const float ahead = 0.1f + 0.8f * static_cast<float>(std::fmod(0.618 * static_cast<double>(row), 1.0));
            for (std::size_t k = 0; k < K; ++k)
                p[row * K + k] = p[row * K + k] * (1 - ahead) + (k == row % N ? ahead : 0);
        }
    const SampleView<float> view{p, S, N, K};
    const auto set       = set_predictions(samples_of(p, S, N, K), levels);
    const auto expected  = class_predictions(view);
    const auto intervals = credible_intervals_at(view, levels);
    EXPECT_EQ(set.classes.mean, expected.mean);
    EXPECT_EQ(set.classes.predicted, expected.predicted);
    for (std::size_t l = 0; l < intervals.size(); ++l)
        EXPECT_EQ(set.certainty[l].disjoint, certainty(expected, intervals[l]).disjoint) << "level " << levels[l];
    EXPECT_THAT(set.certainty[0].disjoint, testing::AllOf(testing::Contains(0), testing::Contains(1)));
}

TEST(SetPredictions, DoNotDependOnTheNumberOfThreads)
{
    const auto p = draws(17, 200, 4);
    SetPredictions one, seven;
    Threads(1).run([&] { one = set_predictions(samples_of(p, 17, 200, 4), levels); });
    Threads(7).run([&] { seven = set_predictions(samples_of(p, 17, 200, 4), levels); });
    expect_equal(one, seven);
}

TEST(SetPredictions, StreamedAreThoseOfTheDrawsThemselves)
{
    const auto x          = inputs(70);
    const auto direct     = set_predictions(predictive().sample_classes(x, 70), levels);
    const auto one_by_one = set_predictions(predictive(), x, 3, levels, {}, 1);
    const auto all        = set_predictions(predictive(), x, 3, levels);
    ASSERT_TRUE(one_by_one && all);
    expect_equal(*all, direct);
    EXPECT_EQ(one_by_one->classes.n_inputs, 70);
    for (std::size_t i = 0; i < direct.classes.mean.size(); ++i)
        EXPECT_NEAR(one_by_one->classes.mean[i], direct.classes.mean[i],
                    1e-5);   // products of other shapes round differently
}

TEST(SetPredictions, OfNoInputsAreEmpty)
{
    const auto none = set_predictions(predictive(), std::vector<float>{}, 3, levels);
    ASSERT_TRUE(none);
    EXPECT_EQ(none->classes.n_inputs, 0);
    EXPECT_EQ(none->classes.n_classes, 4);
}

TEST(SetPredictions, StopOnRequest)
{
    std::stop_source source;
    source.request_stop();
    EXPECT_FALSE(set_predictions(predictive(), inputs(10), 3, levels, source.get_token()));
}

TEST(SetPredictions, RejectALevelOutsideZeroToOne)
{
    const auto p         = draws(2, 2, 2);
    const double wrong[] = {1.0};
    EXPECT_THAT(
        [&] { set_predictions(samples_of(p, 2, 2, 2), wrong); },
        testing::ThrowsMessage<Error>("Predictions of a set: the level is 1, expected a number between 0 and 1."));
}

TEST(SetPredictions, OfLogarithmsAreThoseOfTheProbabilities)
{
    const auto p = draws(9, 30, 4);
    auto logs    = samples_of(p, 9, 30, 4);
    for (double& one : logs.values)
        one = std::log(one);
    logs.logarithms  = true;
    const auto set   = set_predictions(logs, levels).classes;
    const auto plain = set_predictions(samples_of(p, 9, 30, 4), levels).classes;
    for (std::size_t i = 0; i < plain.mean.size(); ++i)
        EXPECT_NEAR(set.mean[i], plain.mean[i], 1e-15);
    for (std::size_t i = 0; i < plain.entropy.size(); ++i) {
        EXPECT_NEAR(set.entropy[i], plain.entropy[i], 1e-14);
        EXPECT_NEAR(set.expected_entropy[i], plain.expected_entropy[i], 1e-14);
        EXPECT_NEAR(set.log_rest[i], plain.log_rest[i], 1e-12);
    }
}

TEST(SetPredictions, KeepMeansBelowTheDoubleRangeAsLogarithms)
{
    // Two draws of one row: ln p of the classes 0, −900, −1000 and 0, −1500, −800.
    const ClassSamples samples{2, 1, 3, {0, -900, -1000, 0, -1500, -800}, true};
    const auto set = set_predictions(samples, levels).classes;
    EXPECT_EQ(set.confidence[0], 1);
    EXPECT_EQ(set.mean[1], 0);
    EXPECT_NEAR(set.log_mean_of(0, 0), 0, 1e-15);
    EXPECT_NEAR(set.log_mean_of(0, 1), -900 - std::log(2.0), 1e-10);
    EXPECT_NEAR(set.log_mean_of(0, 2), -800 - std::log(2.0), 1e-10);
    EXPECT_NEAR(set.log_rest[0], -800 - std::log(2.0), 1e-10);
    auto both = set;
    append(both, set);
    EXPECT_NEAR(both.log_mean_of(1, 1), -900 - std::log(2.0), 1e-10);
}

TEST(SetPredictions, OfANetWithLogitsFarApartKeepTheGap)
{
    Model model       = {.architecture = mlp(1, {}, 2), .likelihood = {LikelihoodKind::softmax}};
    const auto layout = layout_of(model.architecture);
    // z = (0, 300 x): the second class is 300 nats ahead at x = 1
    const PosteriorPredictive net(
        model, make_posterior<float>(layout, {.family = "point_estimate"}, std::vector<float>{0, 300, 0, 0}), 1, 7);
    const auto set = set_predictions(net, std::vector<float>{1, -0.5f}, 1, levels)->classes;
    EXPECT_NEAR(set.log_mean_of(0, 0), -300, 1e-10);
    EXPECT_NEAR(set.log_mean_of(1, 1), -150, 1e-10);
}
