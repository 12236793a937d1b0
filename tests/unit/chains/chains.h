// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/chain.h"

#include <Eigen/LU>
#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

// Densities with known moments, and checks of chains on them.
namespace credence::testing {

/// Any log density that writes its gradient.
class FunctionDensity final : public LogDensity {
public:
    using Function = std::function<double(std::span<const double>, std::span<double>)>;
    FunctionDensity(std::size_t dimension, Function f) : dimension_(dimension), f_(std::move(f)) {}
    std::size_t dimension() const override { return dimension_; }
    double evaluate(std::span<const double> theta, std::span<double> gradient) override { return f_(theta, gradient); }

private:
    std::size_t dimension_;
    Function f_;
};

/// N(mean, covariance)
inline std::unique_ptr<LogDensity> gaussian(const Eigen::VectorXd& mean, const Eigen::MatrixXd& covariance)
{
    const Eigen::MatrixXd precision = covariance.inverse();
    return std::make_unique<FunctionDensity>(mean.size(), [=](std::span<const double> x, std::span<double> g) {
        const Eigen::Map<const Eigen::VectorXd> at(x.data(), mean.size());
        Eigen::Map<Eigen::VectorXd> gradient(g.data(), mean.size());
        gradient = precision * (mean - at);
        return -0.5 * (mean - at).dot(gradient);
    });
}
inline std::unique_ptr<LogDensity> standard_gaussian(Eigen::Index n)
{
    return gaussian(Eigen::VectorXd::Zero(n), Eigen::MatrixXd::Identity(n, n));
}
/// Correlation rho^|i - j|, standard deviations 1, 1.5, 2, …
inline Eigen::MatrixXd correlated(Eigen::Index n, double rho)
{
    Eigen::MatrixXd covariance(n, n);
    for (Eigen::Index i = 0; i < n; ++i)
        for (Eigen::Index j = 0; j < n; ++j)
            covariance(i, j) = std::pow(rho, std::abs(i - j)) * (1 + 0.5 * i) * (1 + 0.5 * j);
    return covariance;
}

/// All draws after the warm-up [n × dimension].
inline std::vector<std::vector<double>> draws_of(Chain& chain, int n)
{
    while (chain.warming_up())
        chain.step();
    std::vector<std::vector<double>> draws;
    for (int t = 0; t < n; ++t) {
        chain.step();
        draws.emplace_back(chain.theta().begin(), chain.theta().end());
    }
    return draws;
}

/// The mean of some function of the draws, and its Monte Carlo error by the means of batches of 50 draws.
struct Estimate {
    double mean, error;
};
inline Estimate estimate(const std::vector<std::vector<double>>& draws,
                         const std::function<double(const std::vector<double>&)>& f)
{
    constexpr std::size_t batch = 50;
    const std::size_t batches   = draws.size() / batch;
    std::vector<double> means(batches, 0);
    double mean = 0;
    for (std::size_t b = 0; b < batches; ++b) {
        for (std::size_t i = 0; i < batch; ++i)
            means[b] += f(draws[b * batch + i]) / batch;
        mean += means[b] / static_cast<double>(batches);
    }
    double squares = 0;
    for (const double m : means)
        squares += (m - mean) * (m - mean);
    return {mean, std::sqrt(squares / static_cast<double>(batches - 1) / static_cast<double>(batches))};
}

/// Means, variances and covariances within `errors` Monte Carlo errors of those that are known, each for itself.
inline void expect_moments(const std::vector<std::vector<double>>& draws, const Eigen::VectorXd& mean,
                           const Eigen::MatrixXd& covariance, double errors = 4.5)
{
    for (Eigen::Index i = 0; i < mean.size(); ++i) {
        const auto m = estimate(draws, [&](const auto& x) { return x[i]; });
        EXPECT_NEAR(m.mean, mean[i], errors * m.error) << "mean " << i;
        for (Eigen::Index j = 0; j <= i; ++j) {
            const auto c = estimate(draws, [&](const auto& x) { return (x[i] - mean[i]) * (x[j] - mean[j]); });
            EXPECT_NEAR(c.mean, covariance(i, j), errors * c.error) << "covariance " << i << ", " << j;
        }
    }
}

/// Largest |analytic - central difference| over the gradient, relative to 1 + |gradient|.
inline double worst_gradient_error(LogDensity& density, std::vector<double> theta, double h = 1e-5)
{
    std::vector<double> gradient(theta.size()), other(theta.size());
    density.evaluate(theta, gradient);
    double worst = 0;
    for (std::size_t i = 0; i < theta.size(); ++i) {
        const double at   = theta[i];
        theta[i]          = at + h;
        const double up   = density.evaluate(theta, other);
        theta[i]          = at - h;
        const double down = density.evaluate(theta, other);
        theta[i]          = at;
        worst = std::fmax(worst, std::fabs(gradient[i] - (up - down) / (2 * h)) / (1 + std::fabs(gradient[i])));
    }
    return worst;
}

}   // namespace credence::testing
