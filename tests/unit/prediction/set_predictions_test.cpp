// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "foundation/parallel.h"
#include "network/network.h"
#include "prediction/credible.h"
#include "prediction/set_predictions.h"
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

Model small_model() { return {.architecture = mlp(3, {8}, 4), .likelihood = Likelihood::categorical()}; }

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

TEST(SetPredictions, EqualThoseOfAllSamplesAtOnce)
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

TEST(SetPredictions, OfManyClassesEqualThoseOfAllSamplesAtOnce)   // most classes are never sorted
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

TEST(SetPredictions, StreamedEqualThoseOfStoredSamples)
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

TEST(SetPredictions, OfANetworkWithLogitsFarApartKeepTheGap)
{
    Model model       = {.architecture = mlp(1, {}, 2), .likelihood = Likelihood::categorical()};
    const auto layout = layout_of(model.architecture);
    // z = (0, 300 x): the second class is 300 nats ahead at x = 1
    const PosteriorPredictive net(
        model, make_posterior<float>(layout, {.family = "point_estimate"}, std::vector<float>{0, 300, 0, 0}), 1, 7);
    const auto set = set_predictions(net, std::vector<float>{1, -0.5f}, 1, levels)->classes;
    EXPECT_NEAR(set.log_mean_of(0, 0), -300, 1e-10);
    EXPECT_NEAR(set.log_mean_of(1, 1), -150, 1e-10);
}

namespace {

/// S × N × K probabilities, no two rows alike, some rows sharp.
std::vector<float> probabilities_of(int S, int N, int K)
{
    std::vector<float> p(static_cast<std::size_t>(S) * N * K);
    for (int s = 0; s < S; ++s)
        for (int i = 0; i < N; ++i) {
            double sum = 0;
            std::vector<double> weight(K);
            for (int k = 0; k < K; ++k)
                sum += weight[k] = std::exp((i % 3 + 1) * std::sin(1.7 * k + 0.9 * i)
                                            + 0.4 * std::sin(3.1 * s + 5.3 * k + i));
            for (int k = 0; k < K; ++k)
                p[(static_cast<std::size_t>(s) * N + i) * K + k] = static_cast<float>(weight[k] / sum);
        }
    return p;
}

ClassSamples in_double(const std::vector<float>& p, int S, int N, int K)
{
    return {S, N, K, {p.begin(), p.end()}, false};
}

PosteriorPredictive predictive_of(const std::string& family, int draws)
{
    Architecture architecture = mlp(3, {30, 20}, 4, ActivationKind::tanh);
    PosteriorOptions options;
    options.family                 = family;
    options.initial_sd             = 0.2;
    const ParameterLayout layout   = layout_of(architecture);
    const std::vector<float> start = initial_weights(layout, Initialisation::glorot, 4);
    return {{architecture, Likelihood::categorical(), family != "point_estimate"},
            make_posterior<float>(layout, options, start),
            draws,
            9};
}

std::vector<float> inputs_of(int n)
{
    std::vector<float> inputs(static_cast<std::size_t>(n) * 3);
    standard_normals({5, Stream::data, 0}, 0, std::span<float>(inputs));
    return inputs;
}

}   // namespace

TEST(RowPredictions, AreThoseOfTheWholeSetsFunctions)
{
    const int S = 33, N = 50, K = 5;
    const auto p = probabilities_of(S, N, K);
    const SampleView<float> samples{p, S, N, K};
    for (const double level : {0.5, 0.8, 0.95}) {
        const auto rows    = row_predictions(in_double(p, S, N, K), level);
        const auto all     = class_predictions(samples);
        const auto verdict = certainty(all, credible_intervals(samples, level));
        ASSERT_EQ(rows.size(), static_cast<std::size_t>(N));
        int certain = 0;
        for (int i = 0; i < N; ++i) {
            EXPECT_EQ(rows[i].predicted, all.predicted[i]);
            EXPECT_EQ(rows[i].confidence, static_cast<float>(all.confidence[i]));
            EXPECT_EQ(rows[i].entropy, static_cast<float>(all.entropy[i]));
            EXPECT_NEAR(rows[i].mutual_information, all.mutual_information[i],
                        1e-12 + 1e-6 * all.mutual_information[i]);
            EXPECT_EQ(rows[i].certain_no_overlap, verdict.disjoint[i] != 0) << "row " << i << ", level " << level;
            EXPECT_EQ(rows[i].certain_by_probability, verdict.probable[i] != 0) << "row " << i << ", level " << level;
            certain += rows[i].certain_no_overlap;
        }
        EXPECT_GT(certain, 0);
        EXPECT_LT(certain, N);
    }
}

TEST(RowPredictions, EqualSamplesHaveNoEpistemicUncertainty)
{
    std::vector<float> p;
    for (int s = 0; s < 7; ++s)
        p.insert(p.end(), {0.02F, 0.97F, 0.01F});
    const auto row = row_predictions(in_double(p, 7, 1, 3), 0.95).front();
    EXPECT_EQ(row.predicted, 1);
    EXPECT_FLOAT_EQ(row.confidence, 0.97F);
    EXPECT_NEAR(row.mutual_information, 0, 1e-7);
    EXPECT_TRUE(row.certain_no_overlap);
    EXPECT_TRUE(row.certain_by_probability);
}

TEST(RowPredictions, SamplesThatDisagreeHaveEpistemicUncertainty)
{
    const std::vector<float> p{0.99F, 0.01F, 0.01F, 0.99F, 0.97F, 0.03F};
    const auto row = row_predictions(in_double(p, 3, 1, 2), 0.95).front();
    EXPECT_EQ(row.predicted, 0);
    EXPECT_FALSE(row.certain_no_overlap);
    EXPECT_FALSE(row.certain_by_probability);
    EXPECT_GT(row.mutual_information, 0.5F);
}

TEST(RowPredictions, ArriveInBlocksThatFormTheWhole)
{
    const auto inputs     = inputs_of(300);
    const auto predictive = predictive_of("mean_field", 20);
    std::vector<RowPrediction> arrived;
    std::vector<std::size_t> blocks;
    const auto all = row_predictions(
        predictive, inputs, 3, 0.9, {},
        [&](std::size_t first, std::span<const RowPrediction> rows) {
        EXPECT_EQ(first, arrived.size());
        arrived.insert(arrived.end(), rows.begin(), rows.end());
        blocks.push_back(rows.size());
        },
        64 * 20 * 4);
    EXPECT_EQ(arrived, all);
    EXPECT_THAT(blocks, testing::ElementsAre(64, 64, 64, 64, 44));
    const auto once = row_predictions(predictive, inputs, 3, 0.9);
    ASSERT_EQ(once.size(), all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(once[i].predicted, all[i].predicted);
        EXPECT_NEAR(once[i].confidence, all[i].confidence, 1e-5);
        EXPECT_NEAR(once[i].entropy, all[i].entropy, 1e-5);
    }
}

TEST(RowPredictions, AreTheSameBitsForAnyNumberOfThreads)
{
    const auto inputs     = inputs_of(700);
    const auto predictive = predictive_of("layer_scale", 20);
    std::vector<std::vector<RowPrediction>> results;
    for (const int threads : {1, 2, 7})
        Threads(threads).run(
            [&] { results.push_back(row_predictions(predictive, inputs, 3, 0.9, {}, {}, 256 * 20 * 4)); });
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
}

TEST(RowPredictions, OfAPointEstimateAreCertainByOverlapAlways)
{
    for (const auto& row : row_predictions(predictive_of("point_estimate", 200), inputs_of(40), 3, 0.95)) {
        EXPECT_TRUE(row.certain_no_overlap);   // one draw has no width
        EXPECT_EQ(row.certain_by_probability, row.confidence >= 0.95F);
        EXPECT_NEAR(row.mutual_information, 0, 1e-6);
    }
}

TEST(RowPredictions, AStopBetweenTwoBlocksLeavesNothing)
{
    std::stop_source source;
    int blocks      = 0;
    const auto rows = row_predictions(
        predictive_of("mean_field", 20), inputs_of(100), 3, 0.9, source.get_token(),
        [&](std::size_t, auto) {
        ++blocks;
        source.request_stop();
        },
        10 * 20 * 4);
    EXPECT_TRUE(rows.empty());
    EXPECT_EQ(blocks, 1);
}

TEST(RowPredictions, OfNoInputsAreNone)
{
    EXPECT_TRUE(row_predictions(predictive_of("mean_field", 20), {}, 3, 0.9).empty());
}

TEST(RowPredictions, RejectALevelOutsideZeroAndOne)
{
    const std::vector<float> p{0.3F, 0.7F};
    EXPECT_THAT([&] { row_predictions(in_double(p, 1, 1, 2), 1.5); },
                testing::ThrowsMessage<Error>("Row predictions: the level is 1.5, expected a number between 0 and 1."));
}
