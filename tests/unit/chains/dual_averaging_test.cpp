// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/dual_averaging.h"

#include "chains.h"
#include "foundation/error.h"

#include <gmock/gmock.h>

namespace credence::testing {
namespace {

TEST(DualAveraging, FindsTheStepSizeOfAKnownDistribution)
{
    // α(ε) = e^{-ε}, from a step that is up to 20 times too large
    for (const double target : {0.6, 0.8, 0.95}) {
        DualAveraging averaging(1, {.target = target});
        for (int t = 0; t < 5000; ++t)
            averaging.learn(std::exp(-averaging.step_size()));
        EXPECT_NEAR(std::exp(-averaging.averaged()), target, 0.005) << target;
    }
}

TEST(DualAveraging, FirstStepIsTheFormulaByHand)
{
    DualAveraging averaging(0.5, {.target = 0.8, .gamma = 0.05, .t0 = 10, .kappa = 0.75});
    averaging.learn(0.3);
    const double h = (0.8 - 0.3) / 11;
    EXPECT_DOUBLE_EQ(averaging.step_size(), std::exp(std::log(0.5) - h / 0.05));
    EXPECT_DOUBLE_EQ(averaging.averaged(), averaging.step_size());   // 1^{-κ} = 1
}

TEST(DualAveraging, TreatsNaNAsARejection)
{
    DualAveraging one(1), other(1);
    one.learn(std::nan(""));
    other.learn(0);
    EXPECT_EQ(one.step_size(), other.step_size());
}

TEST(DualAveraging, RejectsATargetOutsideZeroToOne)
{
    EXPECT_THROW(DualAveraging(1, {.target = 1.0}), Error);
    EXPECT_THROW(DualAveraging(1, {.target = 0}), Error);
}

TEST(DualAveraging, BringsAChainToItsTarget)
{
    for (const double target : {0.7, 0.9}) {
        ChainOptions options;
        options.warmup.dual_averaging.target = target;
        Chain chain(gaussian(Eigen::VectorXd::Zero(20), correlated(20, 0.5)), std::vector<double>(20, 0.5), options);
        const auto draws = draws_of(chain, 0);
        double sum       = 0;
        for (int t = 0; t < 1000; ++t)
            sum += chain.step().acceptance / 1000;
        EXPECT_NEAR(sum, target, 0.05) << target;
    }
}

}   // namespace
}   // namespace credence::testing
