// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/estimated_time.h"

#include "study/presets.h"

#include <gtest/gtest.h>

using namespace credence;

TEST(EstimatedTime, GrowsInProportionToTheSteps)
{
    Study study       = preset("two_moons_mean_field");
    const double once = estimated_seconds(study);
    study.training.steps *= 3;
    EXPECT_NEAR(estimated_seconds(study), 3 * once, 1e-9 * once);
}

TEST(EstimatedTime, GrowsWithTheNetworkAndTheBatch)
{
    const Study study = preset("mnist_mlp_1200");
    Study smaller     = study;
    smaller.network.hidden.pop_back();
    EXPECT_LT(estimated_seconds(smaller), estimated_seconds(study));
    Study batch               = study;
    batch.training.batch_size = 2 * study.training.batch_size;
    EXPECT_GT(estimated_seconds(batch), estimated_seconds(study));
}

TEST(EstimatedTime, IsAtMostTheLimitOfTheStudy)
{
    Study study                = preset("cifar10_full");
    study.training.max_seconds = 30;
    EXPECT_EQ(estimated_seconds(study), 30);
}

TEST(EstimatedTime, ToyProblemsTakeSecondsMnistMinutesAndColourImagesHours)
{
    for (const char* id : {"two_moons_mean_field", "two_moons_deep_ensemble", "blundell_mean_field", "four_gaussians"})
        EXPECT_EQ(run_time_of(estimated_seconds(preset(id))), RunTime::seconds) << id;
    for (const char* id : {"mnist_lenet_tridiagonal", "mnist_mlp_1200"})
        EXPECT_EQ(run_time_of(estimated_seconds(preset(id))), RunTime::minutes) << id;
    EXPECT_EQ(run_time_of(estimated_seconds(preset("cifar10_full_point"))), RunTime::hours);
}

TEST(EstimatedTime, OfEveryPresetIsPositiveAndLessThanAWeek)
{
    for (const auto& one : presets()) {
        EXPECT_GT(estimated_seconds(one.study), 0) << one.id;
        EXPECT_LT(estimated_seconds(one.study), 7 * 24 * 3600) << one.id;
    }
}
