// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/likelihood.h"
#include "unit/network/likelihoods.h"

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

void expect_gradient_matches_differences(const Likelihood& likelihood, std::vector<double> outputs, int n, int k,
                                         const Targets& targets)
{
    std::vector<double> gradient(outputs.size());
    const double scale = 0.5;
    negative_log_likelihood<double>(likelihood, outputs, n, k, targets, gradient, scale);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const double h = 1e-5, at = outputs[i];
        outputs[i]        = at + h;
        const double up   = nll(likelihood, outputs, n, k, targets);
        outputs[i]        = at - h;
        const double down = nll(likelihood, outputs, n, k, targets);
        outputs[i]        = at;
        EXPECT_NEAR(gradient[i], scale * (up - down) / (2 * h), 1e-8 * std::max(1.0, std::abs(gradient[i])))
            << "output " << i;
    }
}

TEST(Likelihood, SoftmaxGradientMatchesDifferences)
{
    const std::vector<int> labels{2, 0, 1};
    expect_gradient_matches_differences(Likelihood::categorical(), {0.3, -1.2, 2.0, 1.0, 1.0, -3.0, 0.0, 0.5, 0.25}, 3,
                                        3, {labels, {}});
}

TEST(Likelihood, GaussianGradientsMatchDifferences)
{
    const std::vector<float> y{0.5f, -1.25f};
    expect_gradient_matches_differences(Likelihood::gaussian(0.3), {0.1, -1.0}, 2, 1, {{}, y});
    expect_gradient_matches_differences(learned_noise(), {0.1, -1.0, -1.5, 2.0}, 2, 2, {{}, y});
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
