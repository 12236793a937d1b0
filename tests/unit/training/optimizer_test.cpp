// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/optimizer.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

namespace credence {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

std::vector<double> gradient_of_step(int step, std::size_t n)
{
    std::vector<double> g(n);
    for (std::size_t k = 0; k < n; ++k)
        g[k] = std::sin(1.7 * step + 0.3 * static_cast<double>(k)) + 0.2;
    return g;
}

template <class T>
std::vector<double> path_end(const OptimizerOptions& options, int steps, std::size_t n, std::size_t piece)
{
    Optimizer<T> optimizer(options, n);
    std::vector<T> theta(n, T(1));
    for (int i = 0; i < steps; ++i) {
        const auto g = gradient_of_step(i, n);
        const std::vector<T> gradient(g.begin(), g.end());
        optimizer.begin_step(0.01);
        for (std::size_t first = 0; first < n; first += piece)
            optimizer.apply(first, std::span<const T>(gradient).subspan(first, std::min(piece, n - first)), theta);
    }
    return {theta.begin(), theta.end()};
}

constexpr OptimizerOptions sgd{.kind = OptimizerKind::sgd}, momentum{.kind = OptimizerKind::momentum, .momentum = 0.8},
    adam{.kind = OptimizerKind::adam};

TEST(Optimizer, SgdSumsTheGradients)
{
    double theta = 1;
    for (int i = 0; i < 6; ++i)
        theta -= 0.01 * gradient_of_step(i, 1)[0];
    EXPECT_NEAR(path_end<double>(sgd, 6, 1, 1)[0], theta, 1e-15);
}

TEST(Optimizer, MomentumKeepsTheRateInsideTheVelocity)
{
    double theta = 1, v = 0;
    for (int i = 0; i < 6; ++i) {
        v = 0.8 * v + 0.01 * gradient_of_step(i, 1)[0];
        theta -= v;
    }
    EXPECT_NEAR(path_end<double>(momentum, 6, 1, 1)[0], theta, 1e-15);
}

TEST(Optimizer, AdamIsTheFormulaOfThePaper)
{
    double theta = 1, m = 0, v = 0;
    for (int t = 1; t <= 40; ++t) {
        const double g = gradient_of_step(t - 1, 1)[0];
        m              = 0.9 * m + 0.1 * g;
        v              = 0.999 * v + 0.001 * g * g;
        theta -= 0.01 * (m / (1 - std::pow(0.9, t))) / (std::sqrt(v / (1 - std::pow(0.999, t))) + 1e-8);
    }
    EXPECT_NEAR(path_end<double>(adam, 40, 1, 1)[0], theta, 1e-13);
}

TEST(Optimizer, FirstStepOfAdamHasTheLengthOfTheRate)
{
    for (const double g : {1e-4, -3.0, 1e6}) {
        Optimizer<double> optimizer(adam, 1);
        std::vector<double> theta{0};
        optimizer.begin_step(0.01);
        optimizer.apply(0, std::vector<double>{g}, theta);
        EXPECT_NEAR(theta[0], g > 0 ? -0.01 : 0.01, 1e-5);
    }
}

TEST(Optimizer, AStepInPiecesEqualsTheWholeStep)
{
    for (const auto& options : {sgd, momentum, adam})
        for (const std::size_t piece : {1, 7, 64})
            EXPECT_EQ(path_end<double>(options, 5, 200, piece), path_end<double>(options, 5, 200, 200));
}

TEST(Optimizer, SomeParametersHaveTheirOwnRate)
{
    constexpr std::size_t n = 9;
    for (const auto& options : {sgd, momentum, adam}) {
        const auto path = [&](std::vector<RateFactor> factors, double rate, std::size_t piece) {
            Optimizer<double> optimizer(options, n, std::move(factors));
            std::vector<double> theta(n, 1.0);
            for (int i = 0; i < 5; ++i) {
                const auto g = gradient_of_step(i, n);
                optimizer.begin_step(rate);
                for (std::size_t first = 0; first < n; first += piece)
                    optimizer.apply(first, std::span<const double>(g).subspan(first, std::min(piece, n - first)),
                                    theta);
            }
            return theta;
        };
        const auto plain = path({}, 0.01, n), doubled = path({}, 0.02, n);
        for (const std::size_t piece : {n, std::size_t{2}, std::size_t{4}}) {
            const auto mixed = path({{1, 3, 2}, {5, 9, 2}}, 0.01, piece);
            for (std::size_t k = 0; k < n; ++k)
                EXPECT_EQ(mixed[k], (k >= 1 && k < 3) || k >= 5 ? doubled[k] : plain[k]) << k;
        }
    }
}

TEST(Optimizer, InFloatFollowsDouble)
{
    for (const auto& options : {sgd, momentum, adam})
        EXPECT_THAT(path_end<float>(options, 50, 33, 33),
                    Pointwise(DoubleNear(2e-6), path_end<double>(options, 50, 33, 33)));
}

TEST(Optimizer, FindsTheMinimumOfABowl)
{
    for (const auto& options : {sgd, momentum, adam}) {
        Optimizer<double> optimizer(options, 2);
        std::vector<double> theta{3, -2};
        for (int i = 0; i < 4000; ++i) {
            optimizer.begin_step(learning_rate({.kind = ScheduleKind::cosine, .learning_rate = 0.02}, i, 4000));
            optimizer.apply(0, std::vector<double>{theta[0] - 1, 5 * (theta[1] - 2)}, theta);
        }
        EXPECT_THAT(theta, Pointwise(DoubleNear(1e-6), {1.0, 2.0}));
    }
}

TEST(LearningRate, FollowsItsSchedule)
{
    EXPECT_EQ(learning_rate({.kind = ScheduleKind::constant, .learning_rate = 0.3}, 999, 1000), 0.3);
    const ScheduleOptions inverse{.kind = ScheduleKind::inverse, .learning_rate = 0.01};
    EXPECT_EQ(learning_rate(inverse, 0, 100), 0.01);
    EXPECT_NEAR(learning_rate(inverse, 10000, 100000), 0.01 * std::pow(2, -0.75),
                1e-17);   // Posch and Pilz 2021: 0.01 (1 + 1e-4 i)^-0.75
    const ScheduleOptions step{.kind = ScheduleKind::step, .learning_rate = 1, .factor = 0.5, .every = 10};
    EXPECT_EQ(learning_rate(step, 9, 100), 1);
    EXPECT_EQ(learning_rate(step, 10, 100), 0.5);
    EXPECT_EQ(learning_rate(step, 35, 100), 0.125);
    const ScheduleOptions cosine{.kind = ScheduleKind::cosine, .learning_rate = 2};
    EXPECT_EQ(learning_rate(cosine, 0, 100), 2);
    EXPECT_NEAR(learning_rate(cosine, 50, 100), 1, 1e-15);
    EXPECT_NEAR(learning_rate(cosine, 25, 100), 1 + std::numbers::sqrt2 / 2, 1e-15);
    EXPECT_NEAR(learning_rate(cosine, 100, 100), 0, 1e-15);
}

}   // namespace
}   // namespace credence
