// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains.h"
#include "chains/hamiltonian.h"
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

constexpr double infinity = std::numeric_limits<double>::infinity();

ChainOptions without_warmup(double step_size, NutsOptions nuts = {})
{
    ChainOptions options;
    options.sampler            = nuts;
    options.warmup.transitions = 0;
    options.warmup.step_size   = step_size;
    return options;
}

TEST(Nuts, FindsTheMomentsOfAStandardGaussian)
{
    Chain chain(standard_gaussian(5), std::vector<double>(5, 1.0), without_warmup(0.6));
    expect_moments(draws_of(chain, 8000), Eigen::VectorXd::Zero(5), Eigen::MatrixXd::Identity(5, 5));
}

TEST(Nuts, FindsTheMomentsOfACorrelatedGaussian)
{
    const Eigen::Vector4d mean(3, -1, 0, 10);
    const Eigen::MatrixXd covariance = correlated(4, 0.9);
    for (const MetricKind metric : {MetricKind::diagonal, MetricKind::dense}) {
        ChainOptions options;
        options.warmup.transitions = 600;
        options.warmup.metric      = metric;
        Chain chain(gaussian(mean, covariance), std::vector<double>(4, 0.0), options);
        expect_moments(draws_of(chain, 6000), mean, covariance);
        EXPECT_EQ(chain.divergences().size(), 0u);
    }
}

TEST(Nuts, AWallRejectsAndTheRestHasItsMoments)
{
    // A standard normal on x > 0: mean √(2/π), variance 1 - 2/π
    auto half = std::make_unique<FunctionDensity>(1, [](std::span<const double> x, std::span<double> g) {
        g[0] = -x[0];
        return x[0] > 0 ? -0.5 * x[0] * x[0] : -infinity;
    });
    Chain chain(std::move(half), std::vector<double>{1.0}, without_warmup(0.3));
    const auto draws = draws_of(chain, 20000);
    expect_moments(draws, Eigen::VectorXd::Constant(1, std::sqrt(2 / M_PI)),
                   Eigen::MatrixXd::Constant(1, 1, 1 - 2 / M_PI));
    EXPECT_EQ(chain.divergences().size(), ChainOptions{}.kept_divergences);
    for (const auto& draw : draws)
        EXPECT_GT(draw[0], 0);
}

TEST(Nuts, StaysOutOfWhereTheDensityIsNotANumber)
{
    auto holed = std::make_unique<FunctionDensity>(2, [](std::span<const double> x, std::span<double> g) {
        g[0] = -x[0], g[1] = -x[1];
        if (x[0] > 0 && x[1] > 0)
            g[0] = std::nan("");
        return x[0] > 0 && x[1] > 0 ? std::nan("") : -0.5 * (x[0] * x[0] + x[1] * x[1]);
    });
    Chain chain(std::move(holed), std::vector<double>{-1.0, -1.0}, without_warmup(0.25));
    const auto draws = draws_of(chain, 20000);
    // By symmetry each of the three quarters has one third of the mass.
    const auto lower_left = estimate(draws, [](const auto& x) { return x[0] < 0 && x[1] < 0 ? 1.0 : 0.0; });
    EXPECT_NEAR(lower_left.mean, 1.0 / 3, 5 * lower_left.error);
    const auto outside = estimate(draws, [](const auto& x) { return x[0] > 0 && x[1] > 0 ? 1.0 : 0.0; });
    EXPECT_EQ(outside.mean, 0);
}

TEST(Nuts, DivergesInAFunnelWithALargeStep)
{
    // ln p = -v²/18 - Σ (x² e^{-v} + v)/2: Neal's funnel
    const auto funnel = [] {
        return std::make_unique<FunctionDensity>(10, [](std::span<const double> x, std::span<double> g) {
            const double v = x[0];
            double sum     = -v * v / 18;
            g[0]           = -v / 9;
            for (int i = 1; i < 10; ++i) {
                sum -= 0.5 * (x[i] * x[i] * std::exp(-v) + v);
                g[0] += 0.5 * (x[i] * x[i] * std::exp(-v) - 1);
                g[i] = -x[i] * std::exp(-v);
            }
            return sum;
        });
    };
    Chain chain(funnel(), std::vector<double>(10, 0.1), without_warmup(0.7));
    long divergent = 0;
    for (int t = 0; t < 2000; ++t)
        divergent += chain.step().divergent;
    EXPECT_GT(divergent, 20);
    ASSERT_FALSE(chain.divergences().empty());
    for (const Divergence& divergence : chain.divergences())
        for (const double value : divergence.theta)
            EXPECT_TRUE(std::isfinite(value));

    Chain careful(funnel(), std::vector<double>(10, 0.1), without_warmup(0.05));
    long fewer = 0;
    for (int t = 0; t < 300; ++t)
        fewer += careful.step().divergent;
    EXPECT_LT(fewer * 2000, divergent * 300);
}

TEST(Nuts, CountsTrajectoriesThatEndAtTheDepthLimit)
{
    Chain chain(standard_gaussian(3), std::vector<double>(3, 0.5), without_warmup(1e-3, {.depth_limit = 4}));
    for (int t = 0; t < 100; ++t) {
        const Transition& last = chain.step();
        EXPECT_TRUE(last.at_depth_limit);
        EXPECT_EQ(last.depth, 4);
        EXPECT_EQ(last.leapfrog_steps, 15);
    }
    Chain free(standard_gaussian(3), std::vector<double>(3, 0.5), without_warmup(0.5, {.depth_limit = 4}));
    for (int t = 0; t < 100; ++t)
        EXPECT_FALSE(free.step().at_depth_limit);
}

TEST(Nuts, ReportsTheDiagnosticsOfATransition)
{
    Chain chain(standard_gaussian(3), std::vector<double>(3, 0.5), without_warmup(0.4));
    for (int t = 0; t < 200; ++t) {
        const Transition& last = chain.step();
        double density         = 0;
        for (const double x : chain.theta())
            density -= 0.5 * x * x;
        EXPECT_NEAR(last.log_density, density, 1e-12);
        EXPECT_GE(last.energy, -last.log_density);
        EXPECT_EQ(last.step_size, 0.4);
        EXPECT_GE(last.leapfrog_steps, (1 << last.depth) - 1);
        EXPECT_LT(last.leapfrog_steps, 1 << (last.depth + 1));
        EXPECT_GT(last.acceptance, 0.5);
        EXPECT_LE(last.acceptance, 1);
    }
}

TEST(Nuts, ChecksBetweenHalvesShortenReturningTrajectories)
{
    // On independent normals a trajectory is a circle. With a step of 2π/14.5, 8 points have not
    // turned back, and 16 points have gone once around and look as if
    // they had not: the checks between the halves detect it.
    long steps[2] = {};
    for (const bool checks : {false, true}) {
        ChainOptions options        = without_warmup(2 * M_PI / 14.6);
        options.faults.extra_checks = checks;
        Chain chain(standard_gaussian(50), std::vector<double>(50, 0.5), options);
        for (int t = 0; t < 500; ++t)
            steps[checks] += chain.step().leapfrog_steps;
    }
    EXPECT_LT(steps[true], steps[false]);
}

TEST(Nuts, RejectsAnInvalidDepthLimit)
{
    EXPECT_THROW(Nuts(1, {.depth_limit = 0}), Error);
    EXPECT_THROW(Nuts(1, {.depth_limit = 21}), Error);
}

}   // namespace
}   // namespace credence::testing
