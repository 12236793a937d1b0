// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/trainer.h"

#include <gmock/gmock.h>

#include <cmath>

namespace credence {
namespace {

TEST(MinibatchWeight, AddsUpToOneOverAnEpoch)
{
    for (const KlWeighting weighting : {KlWeighting::uniform, KlWeighting::geometric})
        for (const int M : {1, 2, 5, 53, 600, 1500}) {
            double sum = 0;
            for (int i = 1; i <= M; ++i)
                sum += minibatch_weight(weighting, i, M);
            EXPECT_NEAR(sum, 1, 1e-12) << M;
        }
}

TEST(MinibatchWeight, GeometricHalvesFromOneToTheNext)
{
    for (const int M : {2, 10, 1023, 1024, 1500})
        for (int i = 1; i < std::min(M, 900); ++i)
            EXPECT_EQ(minibatch_weight(KlWeighting::geometric, i + 1, M),
                      0.5 * minibatch_weight(KlWeighting::geometric, i, M))
                << i << " of " << M;
}

TEST(MinibatchWeight, GeometricIsTheFormulaOfThePaper)
{
    for (const int M : {1, 2, 5, 10})
        for (int i = 1; i <= M; ++i)
            EXPECT_DOUBLE_EQ(minibatch_weight(KlWeighting::geometric, i, M), std::pow(2, M - i) / (std::pow(2, M) - 1));
}

TEST(MinibatchWeight, GeometricEndsAtZeroBelowTheDoubleRange)
{
    EXPECT_EQ(minibatch_weight(KlWeighting::geometric, 1499, 1500), 0);
    EXPECT_GT(minibatch_weight(KlWeighting::geometric, 1000, 1500), 0);
}

TEST(MinibatchWeight, ConstantLeavesTheWeightUnchanged) { EXPECT_EQ(minibatch_weight(KlWeighting::constant, 3, 7), 1); }

}   // namespace
}   // namespace credence
