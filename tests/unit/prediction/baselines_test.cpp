// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/baselines.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

namespace credence {
namespace {

TEST(ClassBaseline, MatchesAHandCalculation)
{
    const std::vector<int> training{0, 1, 1, 1, 2, 1}, scored{1, 1, 0, 2};
    const auto baseline = class_baseline(training, scored, 3);
    EXPECT_EQ(baseline.majority, 1);
    EXPECT_DOUBLE_EQ(baseline.accuracy, 0.5);
    EXPECT_THAT(baseline.frequencies, ::testing::ElementsAre(2.0 / 9, 5.0 / 9, 2.0 / 9));
    EXPECT_NEAR(baseline.nll, -(2 * std::log(5.0 / 9) + 2 * std::log(2.0 / 9)) / 4, 1e-15);
}

TEST(ClassBaseline, StaysFiniteForAClassThatIsMissingFromTheTrainingRows)
{
    const auto baseline = class_baseline(std::vector<int>{0, 0}, std::vector<int>{1}, 2);
    EXPECT_NEAR(baseline.nll, std::log(4.0), 1e-15);
    EXPECT_EQ(baseline.accuracy, 0);
}

TEST(MeanBaseline, MatchesAHandCalculation)
{
    // training mean 2, variance 2 (divisor 1); scored residuals 0 and 2
    const auto baseline = mean_baseline(std::vector<double>{1, 3}, std::vector<double>{2, 4});
    ASSERT_TRUE(baseline);
    EXPECT_DOUBLE_EQ(baseline->rmse, std::sqrt(2.0));
    EXPECT_NEAR(baseline->nll, 0.5 * std::log(2 * std::numbers::pi * 2) + 2.0 / 4, 1e-15);
    EXPECT_FALSE(mean_baseline(std::vector<double>{5, 5}, std::vector<double>{2}));
    EXPECT_FALSE(mean_baseline(std::vector<double>{5}, std::vector<double>{2}));
}

TEST(LeastSquaresBaseline, FindsTheLineAndItsNoise)
{
    // y = 2 + 3 x + (1, -1, -1, 1) at x = 0, 1, 2, 3: the errors are orthogonal to 1 and x
    const std::vector<float> x{0, 1, 2, 3};
    const std::vector<double> y{3, 4, 7, 12};
    const auto baseline = least_squares_baseline(x, y, std::vector<float>{4}, std::vector<double>{15}, 1);
    ASSERT_TRUE(baseline);
    EXPECT_NEAR(baseline->rmse, 1, 1e-12);   // 14 is predicted
    EXPECT_NEAR(baseline->nll, 0.5 * std::log(2 * std::numbers::pi * 2) + 1.0 / 4, 1e-12);
}

TEST(LeastSquaresBaseline, KeepsItsPrecisionForLargeOffsetsAndCollinearInputs)
{
    const std::vector<float> x{0, 0, 1, 1, 2, 2, 3, 3};   // the same column twice
    std::vector<double> y{3, 4, 7, 12};
    const auto plain = least_squares_baseline(x, y, std::vector<float>{4, 4}, std::vector<double>{15}, 2);
    for (double& value : y)
        value += 1.7e9;
    const auto offset = least_squares_baseline(x, y, std::vector<float>{4, 4}, std::vector<double>{1.7e9 + 15}, 2);
    ASSERT_TRUE(plain && offset);
    EXPECT_NEAR(plain->rmse, 1, 1e-9);
    EXPECT_NEAR(offset->rmse, plain->rmse, 1e-6);
}

TEST(LeastSquaresBaseline, IsOmittedIfMeaningless)
{
    const std::vector<float> x{0, 1, 2};
    EXPECT_FALSE(least_squares_baseline(x, std::vector<double>{1, 2, 3}, x, std::vector<double>{1, 2, 3}, 1))
        << "no residuals";
    EXPECT_FALSE(
        least_squares_baseline(std::vector<float>{0, 1}, std::vector<double>{1, 3}, x, std::vector<double>{1, 2, 3}, 1))
        << "too few rows";
}

}   // namespace
}   // namespace credence
