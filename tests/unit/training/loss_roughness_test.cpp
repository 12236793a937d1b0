// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/snapshot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

namespace credence {
namespace {

/// Records of these losses at these steps.
TrainingHistory losses_at(const std::vector<std::pair<long, double>>& records)
{
    TrainingHistory history(1);   // step 0 has no loss
    for (const auto& [step, loss] : records) {
        TrainingPoint point;
        point.step      = step;
        point.data_loss = loss;
        history.push_back(point);
    }
    return history;
}

const double to_sd = std::sqrt(std::numbers::pi / 2);

TEST(LossRoughness, OfAStraightLineIsZeroHoweverSteepAndHoweverFarApartTheRecords)
{
    EXPECT_NEAR(loss_roughness(losses_at({{10, 3}, {20, 2.5}, {30, 2}, {40, 1.5}})).value(), 0, 1e-12);
    EXPECT_NEAR(loss_roughness(losses_at({{10, 9}, {20, 8}, {60, 4}, {70, 3}})).value(), 0, 1e-12);
    EXPECT_EQ(loss_roughness(losses_at({{1, 0}, {2, 0}, {3, 0}})).value(), 0);
}

TEST(LossRoughness, IsTheDistanceFromTheChordAsAShareOfTheLevel)
{
    // chord 1, deviation 1, level 1.5, w = 1/2
    EXPECT_NEAR(loss_roughness(losses_at({{100, 1}, {200, 2}, {300, 1}})).value(), to_sd / (1.5 * std::sqrt(1.5)),
                1e-12);
    // w = 2/3: chord 2, deviation 1, level 2.5
    EXPECT_NEAR(loss_roughness(losses_at({{100, 1}, {200, 3}, {400, 4}})).value(),
                to_sd / (2.5 * std::sqrt(1 + 4.0 / 9 + 1.0 / 9)), 1e-12);
}

TEST(LossRoughness, DoesNotDependOnTheScaleOfTheLoss)
{
    const auto one  = loss_roughness(losses_at({{1, 1}, {2, 2}, {3, 1.5}, {4, 1.25}}));
    const auto many = loss_roughness(losses_at({{1, 8}, {2, 16}, {3, 12}, {4, 10}}));
    EXPECT_NEAR(one.value(), many.value(), 1e-12);
    EXPECT_GT(one.value(), 0.1);
}

TEST(LossRoughness, OfIndependentNoiseIsItsStandardDeviation)
{
    // Every normal quantile (x − ½)/1008 once, in the order of the powers of 26 modulo 1009, which scatters them.
    constexpr long prime = 1009;
    std::vector<std::pair<long, double>> records;
    long x = 1;
    for (long i = 1; i < prime; ++i) {
        x              = x * 26 % prime;
        const double u = (static_cast<double>(x) - 0.5) / (prime - 1);
        double low = -6, high = 6;   // quantile by bisection
        for (int k = 0; k < 60; ++k) {
            const double middle                                               = (low + high) / 2;
            (0.5 * std::erfc(-middle / std::numbers::sqrt2) < u ? low : high) = middle;
        }
        records.emplace_back(i, 0.7 * (1 + 0.02 * low));
    }
    EXPECT_NEAR(loss_roughness(losses_at(records)).value(), 0.02, 0.001);
}

TEST(LossRoughness, IsUnknownOfTooFewRecordsAndOfLossesThatHaveNoLevel)
{
    EXPECT_FALSE(loss_roughness({}));
    EXPECT_FALSE(loss_roughness(losses_at({{1, 1}, {2, 1}})));
    EXPECT_FALSE(loss_roughness(losses_at({{1, 1}, {2, -0.5}, {3, 1}})));
    EXPECT_FALSE(loss_roughness(losses_at({{1, 1}, {2, std::numeric_limits<double>::infinity()}, {3, 1}})));
}

}   // namespace
}   // namespace credence
