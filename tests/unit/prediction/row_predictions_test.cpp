// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/row_predictions.h"

#include "foundation/error.h"
#include "foundation/parallel.h"
#include "network/network.h"
#include "prediction/credible.h"
#include "unit/families.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;

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
    return {{architecture, {LikelihoodKind::softmax}, family != "point_estimate"},
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

TEST(RowPredictions, ARowOnWhichAllDrawsAgreeIsCertainWithoutEpistemicPart)
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

TEST(RowPredictions, DrawsThatDisagreeGiveUncertainty)
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
