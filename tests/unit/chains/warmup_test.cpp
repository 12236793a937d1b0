// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains.h"
#include "chains/chain.h"
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

std::vector<WarmupWindow> windows_of(long transitions)
{
    WarmupOptions options;
    options.transitions = transitions;
    return warmup_windows(options);
}

TEST(WarmupWindows, DoubleAndTheLastUsesTheRest)
{
    EXPECT_THAT(windows_of(1000), ::testing::ElementsAre(WarmupWindow{0, 150, false}, WarmupWindow{150, 175, true},
                                                         WarmupWindow{175, 225, true}, WarmupWindow{225, 325, true},
                                                         WarmupWindow{325, 900, true}, WarmupWindow{900, 1000, false}));
}

TEST(WarmupWindows, CoverEveryWarmUpWithoutAGap)
{
    for (long n = 0; n < 2500; n = n < 60 ? n + 1 : n + 37) {
        const auto windows = windows_of(n);
        long next          = 0;
        for (const WarmupWindow& window : windows) {
            EXPECT_EQ(window.begin, next) << n;
            EXPECT_GT(window.end, window.begin) << n;
            next = window.end;
        }
        EXPECT_EQ(next, n);
        if (n > 0 && n < 20) {
            EXPECT_EQ(windows.size(), 1u) << n;
        }
        if (n > 0) {
            EXPECT_FALSE(windows.back().slow) << n;   // the step size fits the last metric
        }
    }
    EXPECT_THAT(windows_of(20), ::testing::ElementsAre(WarmupWindow{0, 3, false}, WarmupWindow{3, 18, true},
                                                       WarmupWindow{18, 20, false}));
}

/// One chain through its warm-up.
Chain warmed(std::unique_ptr<LogDensity> density, WarmupOptions warmup, std::uint64_t seed = 1)
{
    ChainOptions options;
    options.warmup      = warmup;
    options.seed        = seed;
    const std::size_t n = density->dimension();
    Chain chain(std::move(density), std::vector<double>(n, 0.3), options);
    draws_of(chain, 0);
    return chain;
}

std::unique_ptr<LogDensity> ten_scales()
{
    Eigen::VectorXd variances(10);
    for (int i = 0; i < 10; ++i)
        variances[i] = std::pow(10.0, i - 5);
    return gaussian(Eigen::VectorXd::Zero(10), variances.asDiagonal());
}

TEST(Warmup, DrawsAndGradientsFindTheScalesOfIndependentGaussiansExactly)
{
    const Chain chain = warmed(ten_scales(), {.transitions = 200});
    for (int i = 0; i < 10; ++i)
        EXPECT_NEAR(chain.metric().variances()[i] / std::pow(10.0, i - 5), 1, 1e-6) << i;
}

TEST(Warmup, WithoutALastFastWindowTheStepSizeFitsTheLastMetricAllTheSame)
{
    for (const long transitions : {20, 200}) {
        const Chain chain = warmed(ten_scales(), {.transitions = transitions, .last_fast = 0});
        EXPECT_GT(chain.warmup().step_size, 0.1) << "the smallest scale is 0.003, and the metric removes it";
    }
}

TEST(Warmup, DrawsAloneFindThemApproximately)
{
    const Chain chain = warmed(ten_scales(), {.transitions = 2000, .estimate = MetricEstimate::draws});
    for (int i = 0; i < 10; ++i)
        EXPECT_NEAR(std::log(chain.metric().variances()[i] / std::pow(10.0, i - 5)), 0, i < 2 ? 0.6 : 0.35) << i;
}

TEST(Warmup, FallsBackToTheDrawsWhereTheGradientNeverChanges)
{
    // A uniform on (-1, 1) and a Gaussian: the gradient of the first is 0 everywhere
    auto density      = std::make_unique<FunctionDensity>(2, [](std::span<const double> x, std::span<double> g) {
        g[0] = 0, g[1] = -x[1];
        return std::fabs(x[0]) < 1 ? -0.5 * x[1] * x[1] : -std::numeric_limits<double>::infinity();
    });
    const Chain chain = warmed(std::move(density), {.transitions = 1000});
    EXPECT_NEAR(chain.metric().variances()[0], 1.0 / 3, 0.1);
    EXPECT_NEAR(chain.metric().variances()[1], 1, 1e-6);
}

TEST(Warmup, ADenseMetricFindsTheCovarianceAndNeedsFewerSteps)
{
    const Eigen::MatrixXd covariance = correlated(8, 0.97);
    long gradients[2]                = {};
    for (const MetricKind kind : {MetricKind::diagonal, MetricKind::dense}) {
        Chain chain = warmed(gaussian(Eigen::VectorXd::Zero(8), covariance), {.transitions = 1000, .metric = kind});
        const long before = chain.gradients();
        draws_of(chain, 500);
        gradients[kind == MetricKind::dense] = chain.gradients() - before;
        if (kind == MetricKind::dense) {
            const Eigen::MatrixXd ratio = covariance.inverse() * chain.metric().covariance();
            EXPECT_NEAR(ratio.trace() / 8, 1, 0.1);
        }
    }
    EXPECT_LT(2 * gradients[1], gradients[0]);
}

TEST(Warmup, StaysDiagonalWhileDrawsAreTooFewForADenseMetric)
{
    const Chain chain = warmed(standard_gaussian(30), {.transitions = 60, .metric = MetricKind::dense});
    EXPECT_EQ(chain.metric().kind(), MetricKind::diagonal);
    EXPECT_EQ(chain.warmup().metric, MetricKind::diagonal);
    EXPECT_THAT(sentences(chain.warmup()),
                ::testing::Contains(
                    "The metric is diagonal: no window had enough draws for a dense one. Use a longer warm-up."));
    EXPECT_EQ(warmed(standard_gaussian(30), {.transitions = 400, .metric = MetricKind::dense}).metric().kind(),
              MetricKind::dense);
}

TEST(Warmup, ReportsItsWindows)
{
    const Chain chain          = warmed(standard_gaussian(5), {.transitions = 1000});
    const WarmupReport& report = chain.warmup();
    EXPECT_EQ(report.transitions, 1000);
    EXPECT_EQ(report.planned, 1000);
    EXPECT_EQ(report.leapfrog_steps, chain.gradients());
    EXPECT_EQ(report.step_size, chain.step_size());
    ASSERT_EQ(report.windows.size(), 6u);
    for (std::size_t w = 1; w < 6; ++w)
        EXPECT_LE(report.windows[w].divergences, 2) << w;   // dual averaging starts each with a large step
    EXPECT_FALSE(report.windows.front().metric_change.has_value());
    EXPECT_LT(*report.windows[4].metric_change, 1e-6);   // exact from the first slow window on
    EXPECT_TRUE(*report.metric_settled());
    EXPECT_TRUE(*report.step_size_settled());
    for (const WindowReport& window : report.windows)
        EXPECT_NEAR(window.acceptance, 0.8, 0.12) << window.begin;
    const auto text = sentences(report);
    ASSERT_GE(text.size(), 2u);
    EXPECT_THAT(text[0], ::testing::ContainsRegex(
                             "^The step size is [0-9.]+; it settled: the last two windows differ by a factor of 1"));
    EXPECT_THAT(text[1], ::testing::StartsWith("The metric settled: its variances last changed by a factor of 1"));
}

TEST(Warmup, ReportsUnknownValuesAndFailures)
{
    const auto short_one = warmed(standard_gaussian(2), {.transitions = 10});
    EXPECT_FALSE(short_one.warmup().metric_settled().has_value());
    EXPECT_THAT(sentences(short_one.warmup()),
                ::testing::Contains(::testing::EndsWith("; the warm-up was too short to tell whether it settled.")));

    WarmupReport report{.transitions = 100, .planned = 100, .divergences = 7, .step_size = 0.1, .windows = {}};
    report.windows = {{.slow = true, .step_size = 0.3, .metric_change = 1.0},
                      {.slow = true, .step_size = 0.1, .metric_change = 2.0}};
    EXPECT_THAT(sentences(report),
                ::testing::ElementsAre(
                    "The step size is 0.1; it had not settled: the last two windows differ by a factor of 3.",
                    "The metric had not settled: its variances last changed by a factor of 7.4. Use a longer warm-up.",
                    "7 of 100 transitions of the warm-up diverged (7 %)."));
    report.transitions = 40;
    EXPECT_THAT(sentences(report), ::testing::ElementsAre("The warm-up is at transition 40 of 100."));
}

TEST(Warmup, RejectsUnsupportedSettings)
{
    const auto with = [](WarmupOptions options, std::size_t n = 2) { return Warmup(n, options); };
    EXPECT_THROW(with({.transitions = 0}), Error);   // neither a step size nor an adaptation
    EXPECT_THROW(with({.step_size = -1}), Error);
    EXPECT_THROW(with({.first_fast = 0.6, .last_fast = 0.5}), Error);
    EXPECT_THROW(with({.metric = MetricKind::dense}, 5000), Error);
}

}   // namespace
}   // namespace credence::testing
