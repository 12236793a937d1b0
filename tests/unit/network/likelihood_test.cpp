// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/likelihood.h"
#include "unit/network/likelihood_properties.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace credence {
namespace {

double nll(const Likelihood& likelihood, const std::vector<double>& outputs, int n, int k, const Targets& targets)
{
    return negative_log_likelihood<double>(likelihood, outputs, n, k, targets, {}, 1.0);
}

TEST(Likelihood, CategoricalAndGaussianHaveThePropertiesOfALikelihood)
{
    expect_likelihood_properties(Likelihood::categorical());
    expect_likelihood_properties(Likelihood::gaussian(0.3));
    expect_likelihood_properties(learned_noise());
}

TEST(Likelihood, SoftmaxIsExactWhereLogitsAreHuge)
{
    const std::vector<int> labels{1};
    EXPECT_DOUBLE_EQ(nll(Likelihood::categorical(), {1000, 0}, 1, 2, {labels, {}}), 1000);
    EXPECT_DOUBLE_EQ(nll(Likelihood::categorical(), {0, 1000}, 1, 2, {labels, {}}), 0);
}

TEST(Likelihood, GaussianIsTheDensityWithItsConstant)
{
    const std::vector<float> y{2};
    const double s = 0.7, f = 1.5;
    const double density = std::exp(-(2 - f) * (2 - f) / (2 * s * s)) / (s * std::sqrt(2 * std::numbers::pi));
    EXPECT_NEAR(nll(Likelihood::gaussian(s), {f}, 1, 1, {{}, y}), -std::log(density), 1e-14);
}

TEST(Likelihood, CountsTheRowsThatAreRightWithTheLowestIndexOnTies)
{
    const std::vector<int> labels{0, 1, 0};
    const std::vector<double> outputs{1, 1, 0, 2, 3, 4};
    int right = -1;
    negative_log_likelihood<double>(Likelihood::categorical(), outputs, 3, 2, {labels, {}}, {}, 1.0, &right);
    EXPECT_EQ(right, 2);
}

}   // namespace
}   // namespace credence
