// SPDX-License-Identifier: GPL-3.0-or-later
#include "unit/network/likelihood_properties.h"

namespace credence {
namespace {

using likelihood_properties::gradient_of;
using likelihood_properties::Rows;

TEST(BetaNll, WeightsTheGradientOfEachRowByItsStandardDeviation)
{
    const Rows rows(learned_noise(), 7);
    const auto plain = gradient_of(learned_noise(), rows);
    for (const double beta : {0.3, 0.5, 1.0}) {
        const auto weighted = gradient_of(learned_noise(beta), rows);
        for (int i = 0; i < rows.n; ++i) {
            const std::vector<float> outputs(rows.row(i).begin(), rows.row(i).end());
            std::vector<float> predicted(2);
            float entropy = 0;
            learned_noise()->predict(outputs, 2, predicted.data(), &entropy);
            const double weight = std::pow(static_cast<double>(predicted[1]), 2 * beta);
            for (int k = 0; k < 2; ++k) {
                const auto j = static_cast<std::size_t>(2 * i + k);
                EXPECT_NEAR(weighted[j], weight * plain[j], 1e-6 * std::max(1.0, std::abs(plain[j])));
            }
        }
    }
}

TEST(BetaNll, OfOneGivesTheMeanTheLeastSquaresGradient)
{
    const Rows rows(learned_noise(), 7);
    const auto gradient = gradient_of(learned_noise(1), rows);
    for (int i = 0; i < rows.n; ++i)
        EXPECT_NEAR(gradient[static_cast<std::size_t>(2 * i)], rows.row(i)[0] - rows.target(i), 1e-12);
}

TEST(LearnedLevel, IsTheLearnedNoiseWithAConstantOutput)
{
    expect_likelihood_properties(learned_level());
    EXPECT_EQ(learned_level()->n_constant_outputs(), 1);
    EXPECT_EQ(learned_noise()->n_constant_outputs(), 0);
    EXPECT_NE(learned_level(), learned_noise());
    EXPECT_TRUE(learned_level()->is_exact());
    const Rows rows(learned_level(), 7);
    EXPECT_EQ(gradient_of(learned_level(), rows), gradient_of(learned_noise(), rows));
}

TEST(BetaNll, LeavesValuesAndPredictionsAsTheyAre)
{
    const Rows rows(learned_noise(), 5);
    const auto nll = [&](const Likelihood& likelihood) {
        return likelihood->value(rows.outputs, rows.n, rows.k, rows.targets(), std::span<double>(), 1.0, nullptr);
    };
    EXPECT_EQ(nll(learned_noise(0.5)), nll(learned_noise()));
    likelihood_properties::expect_noise(learned_noise(0.5), rows);
    likelihood_properties::expect_float_near_double(learned_noise(0.5), rows);
    EXPECT_TRUE(learned_noise()->is_exact());
    EXPECT_FALSE(learned_noise(0.5)->is_exact());
    EXPECT_NE(learned_noise(0.5), learned_noise());
}

}   // namespace
}   // namespace credence
