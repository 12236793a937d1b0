// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains.h"
#include "chains/hamiltonian.h"
#include "chains/metric.h"
#include "foundation/error.h"
#include "unit/refusal.h"

#include <Eigen/LU>
#include <gmock/gmock.h>

namespace credence::testing {
namespace {

Eigen::MatrixXd some_covariance()
{
    Eigen::MatrixXd covariance(3, 3);
    covariance << 2, 0.5, 0.1, 0.5, 1, -0.3, 0.1, -0.3, 0.5;
    return covariance;
}

TEST(Metric, VelocityIsTheInverseMassTimesTheMomentum)
{
    const std::vector<double> p = {1, -2, 3};
    std::vector<double> v(3);
    const double variances[] = {2, 0.5, 0.1};
    EXPECT_DOUBLE_EQ(Metric::diagonal(variances).velocity(p, v), 0.5 * (2 * 1 + 0.5 * 4 + 0.1 * 9));
    EXPECT_THAT(v, ::testing::ElementsAre(2, -1, ::testing::DoubleEq(0.3)));

    const Eigen::MatrixXd covariance = some_covariance();
    const Eigen::Vector3d at(1, -2, 3), expected = covariance * at;
    EXPECT_NEAR(Metric::dense(covariance).velocity(p, v), 0.5 * at.dot(expected), 1e-14);
    for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(v[i], expected[i], 1e-14);
}

TEST(Metric, ADiagonalCovarianceIsTheDiagonalMetric)
{
    const std::vector<double> variances = {2, 0.5, 0.1};
    const Eigen::MatrixXd covariance    = Eigen::Vector3d(2, 0.5, 0.1).asDiagonal();
    const Metric diagonal = Metric::diagonal(variances), dense = Metric::dense(covariance);
    std::vector<double> p = {1, -2, 3}, q = p;
    diagonal.make_momentum(p);
    dense.make_momentum(q);
    for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(p[i], q[i], 1e-14);
}

TEST(Metric, MomentaHaveTheMassAsCovariance)
{
    const Eigen::MatrixXd covariance = some_covariance(), mass = covariance.inverse();
    const Metric metric = Metric::dense(covariance);
    ChainNoise noise(3, 0);
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(3, 3);
    constexpr int n     = 40000;
    Eigen::Vector3d p;
    for (int t = 0; t < n; ++t) {
        noise.begin(t);
        noise.normals({p.data(), 3});
        metric.make_momentum({p.data(), 3});
        sum += p * p.transpose() / n;
    }
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            EXPECT_NEAR(sum(i, j), mass(i, j), 5 * std::sqrt((mass(i, i) * mass(j, j) + mass(i, j) * mass(i, j)) / n));
}

TEST(Metric, RejectsInvalidMetrics)
{
    const double variances[] = {1, -1};
    EXPECT_EQ(sentence_of_error([&] { Metric::diagonal(variances); }),
              "Metric: variance of weight 2 is -1, expected a positive number.");
    Eigen::MatrixXd singular(2, 2);
    singular << 1, 2, 2, 1;
    EXPECT_EQ(sentence_of_error([&] { Metric::dense(singular); }), "Metric: the covariance is not positive definite.");
    EXPECT_THAT(sentence_of_error([&] { Metric::dense(Eigen::MatrixXd::Identity(2, 3)); }),
                ::testing::HasSubstr("is 2 × 3, expected a square"));
}

/// Not a Gaussian: ln p = -Σ (x²/2 + x⁴/10) - x0 x1/2
std::unique_ptr<LogDensity> quartic()
{
    return std::make_unique<FunctionDensity>(3, [](std::span<const double> x, std::span<double> g) {
        double sum = -0.5 * x[0] * x[1];
        for (int i = 0; i < 3; ++i) {
            sum -= x[i] * x[i] / 2 + x[i] * x[i] * x[i] * x[i] / 10;
            g[i] = -x[i] - 0.4 * x[i] * x[i] * x[i] - (i < 2 ? 0.5 * x[1 - i] : 0);
        }
        return sum;
    });
}

PhasePoint some_start(const Hamiltonian& hamiltonian)
{
    PhasePoint start(3);
    start.theta = {0.7, -1.1, 0.4};
    hamiltonian.evaluate(start);
    ChainNoise noise(5, 0);
    hamiltonian.draw_momentum(start, noise);
    return start;
}

/// Runs for a time of 1.6 and gives the error of the energy at its end.
double energy_error(const Hamiltonian& hamiltonian, int steps)
{
    PhasePoint here    = some_start(hamiltonian), next(3);
    const double start = here.energy;
    for (int k = 0; k < steps; ++k) {
        hamiltonian.leapfrog(here, next, 1.6 / steps);
        std::swap(here, next);
    }
    return here.energy - start;
}

class Leapfrog : public ::testing::TestWithParam<MetricKind> {
protected:
    Metric metric() const
    {
        Eigen::MatrixXd covariance(3, 3);
        covariance << 1, -0.3, 0, -0.3, 0.8, 0.1, 0, 0.1, 0.6;
        const double variances[] = {1, 0.8, 0.6};
        return GetParam() == MetricKind::dense ? Metric::dense(covariance) : Metric::diagonal(variances);
    }
    std::unique_ptr<LogDensity> density = quartic();
};

TEST_P(Leapfrog, KeepsTheEnergyUpToTheSquareOfTheStep)
{
    const Hamiltonian hamiltonian(*density, metric());
    for (const int steps : {16, 32, 64})
        EXPECT_NEAR(energy_error(hamiltonian, steps) / energy_error(hamiltonian, 2 * steps), 4, 0.4) << steps;
    EXPECT_LT(std::fabs(energy_error(hamiltonian, 1000)), 1e-5);
}

TEST_P(Leapfrog, IsReversible)
{
    const Hamiltonian hamiltonian(*density, metric());
    const PhasePoint start = some_start(hamiltonian);
    PhasePoint here        = start, next(3);
    for (const double step : {0.1, -0.1})
        for (int k = 0; k < 50; ++k) {
            hamiltonian.leapfrog(here, next, step);
            std::swap(here, next);
        }
    for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(here.theta[i], start.theta[i], 1e-13);
        EXPECT_NEAR(here.momentum[i], start.momentum[i], 1e-13);
    }
    EXPECT_NEAR(here.energy, start.energy, 1e-13);
}

INSTANTIATE_TEST_SUITE_P(BothMetrics, Leapfrog, ::testing::Values(MetricKind::diagonal, MetricKind::dense));

TEST(Hamiltonian, EnergyOfANonFiniteStateIsInfinite)
{
    for (const double value : {-std::numeric_limits<double>::infinity(), std::nan("")}) {
        FunctionDensity density(2, [=](std::span<const double>, std::span<double> g) {
            g[0] = g[1] = std::nan("");
            return value;
        });
        const Hamiltonian hamiltonian(density, Metric::unit(2));
        PhasePoint from(2), to(2);
        hamiltonian.leapfrog(from, to, 0.1);
        EXPECT_EQ(to.energy, std::numeric_limits<double>::infinity());
    }
}

TEST(StepSizeSearch, FollowsTheScaleOfTheDensity)
{
    for (const double scale : {1e-4, 1.0, 1e3}) {
        const auto density = gaussian(Eigen::VectorXd::Zero(5), scale * scale * Eigen::MatrixXd::Identity(5, 5));
        const Hamiltonian hamiltonian(*density, Metric::unit(5));
        PhasePoint at(5), scratch(5);
        hamiltonian.evaluate(at);
        ChainNoise noise(1, 0, ChainNoise::Purpose::step_size_search);
        const double found = find_step_size(hamiltonian, at, scratch, 1, 0.8, noise);
        EXPECT_GT(found, 0.2 * scale);
        EXPECT_LT(found, 5 * scale);
    }
}

TEST(StepSizeSearch, ReportsWhenThereIsNone)
{
    FunctionDensity density(1, [](std::span<const double> x, std::span<double> g) {
        g[0] = std::nan("");
        return -x[0] * x[0];
    });
    const double start[] = {1.0};
    try {
        Chain chain(std::make_unique<FunctionDensity>(density), start);
        FAIL() << "nothing refused";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("not finite around the start"));
    }
}

}   // namespace
}   // namespace credence::testing
