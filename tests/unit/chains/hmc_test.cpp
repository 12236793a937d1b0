// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/hmc.h"

#include "chains.h"
#include "foundation/error.h"

#include <gmock/gmock.h>

namespace credence::testing {
namespace {

ChainOptions hmc_options(HmcOptions options, long warmup = 500)
{
    ChainOptions chain;
    chain.sampler            = options;
    chain.warmup.transitions = warmup;
    return chain;
}

TEST(Hmc, FindsTheMomentsOfAGaussian)
{
    const Eigen::Vector3d mean(1, -2, 0.5);
    const Eigen::MatrixXd covariance = correlated(3, 0.6);
    Chain chain(gaussian(mean, covariance), std::vector<double>{0, 0, 0},
                hmc_options({.steps = 12, .step_size_jitter = 0.5}));
    expect_moments(draws_of(chain, 5000), mean, covariance);
}

TEST(Hmc, MakesSoManySteps)
{
    ChainOptions options     = hmc_options({.steps = 7}, 0);
    options.warmup.step_size = 0.3;
    Chain chain(standard_gaussian(4), std::vector<double>(4, 0.1), options);
    for (int t = 0; t < 600; ++t)
        EXPECT_EQ(chain.step().leapfrog_steps, 7);
    EXPECT_EQ(chain.gradients(), 7 * 600);
}

TEST(Hmc, JitterMovesTheStepSizeWithinItsRange)
{
    Chain chain(standard_gaussian(2), std::vector<double>(2, 0.1),
                hmc_options({.steps = 3, .step_size_jitter = 0.25}, 100));
    draws_of(chain, 0);
    double low = 1e9, high = 0;
    for (int t = 0; t < 500; ++t) {
        low  = std::fmin(low, chain.step().step_size);
        high = std::fmax(high, chain.last().step_size);
    }
    EXPECT_NEAR(low / chain.step_size(), 0.75, 0.01);
    EXPECT_NEAR(high / chain.step_size(), 1.25, 0.01);
}

TEST(Hmc, AWallRejects)
{
    // A standard normal on x > 0: mean √(2/π), variance 1 - 2/π
    auto half                = std::make_unique<FunctionDensity>(1, [](std::span<const double> x, std::span<double> g) {
        g[0] = -x[0];
        return x[0] > 0 ? -0.5 * x[0] * x[0] : -std::numeric_limits<double>::infinity();
    });
    ChainOptions options     = hmc_options({.steps = 5}, 0);
    options.warmup.step_size = 0.3;
    Chain chain(std::move(half), std::vector<double>{1.0}, options);
    expect_moments(draws_of(chain, 20000), Eigen::VectorXd::Constant(1, std::sqrt(2 / M_PI)),
                   Eigen::MatrixXd::Constant(1, 1, 1 - 2 / M_PI));
    EXPECT_GT(chain.divergences().size(), 50u);
    for (const Divergence& divergence : chain.divergences())
        EXPECT_GT(divergence.theta[0], 0);   // where it was last finite
}

TEST(Hmc, RejectsMeaninglessSettings)
{
    EXPECT_THROW(Hmc(1, {.steps = 0}), Error);
    EXPECT_THROW(Hmc(1, {.step_size_jitter = 1}), Error);
}

}   // namespace
}   // namespace credence::testing
