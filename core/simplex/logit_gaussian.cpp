// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/logit_gaussian.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/parallel.h"
#include "random/noise.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <string>

namespace credence {

namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void require_mean(const std::vector<double>& mu)
{
    if (mu.size() < 2)
        throw Error("Gaussian over logits: " + std::to_string(mu.size()) + (mu.size() == 1 ? " class" : " classes")
                    + " found, expected at least 2.");
    for (std::size_t k = 0; k < mu.size(); ++k)
        if (!std::isfinite(mu[k]))
            throw Error("Gaussian over logits: mean of logit " + std::to_string(k) + " is " + number_text(mu[k], 6)
                        + ", expected a finite number.");
}

void require_count(const char* what, std::size_t found, std::size_t expected)
{
    if (found != expected)
        throw Error(std::string("Gaussian over logits: ") + what + " has " + std::to_string(found)
                    + " values, expected " + std::to_string(expected) + ".");
}

void require_variances(const std::vector<double>& variance, bool zero_allowed)
{
    for (std::size_t k = 0; k < variance.size(); ++k)
        if (!(variance[k] > 0 || (zero_allowed && variance[k] == 0)) || !std::isfinite(variance[k]))
            throw Error("Gaussian over logits: variance of logit " + std::to_string(k) + " is "
                        + number_text(variance[k], 6) + ", expected "
                        + (zero_allowed ? "no negative number." : "a number > 0."));
}

void require_symmetric(const Rows& sigma)
{
    const double tolerance = 1e-6 * sigma.diagonal().cwiseAbs().maxCoeff();
    for (Eigen::Index k = 0; k < sigma.rows(); ++k)
        for (Eigen::Index l = 0; l < k; ++l) {
            const double above = sigma(l, k), below = sigma(k, l);
            if (!std::isfinite(above) || !std::isfinite(below))
                throw Error("Gaussian over logits: the covariance of logits " + std::to_string(l) + " and "
                            + std::to_string(k) + " is " + number_text(std::isfinite(above) ? below : above, 6)
                            + ", expected a finite number.");
            if (std::fabs(above - below) > tolerance)
                throw Error("Gaussian over logits: the covariance is not symmetric, entry [" + std::to_string(l) + "]["
                            + std::to_string(k) + "] is " + number_text(above, 6) + " and entry [" + std::to_string(k)
                            + "][" + std::to_string(l) + "] is " + number_text(below, 6) + ".");
        }
}

void require_not_negative(const Rows& sigma)
{
    const double slack = 1e-9 * sigma.diagonal().maxCoeff();
    Eigen::LLT<Eigen::MatrixXd> with_slack(Eigen::MatrixXd(sigma)
                                           + slack * Eigen::MatrixXd::Identity(sigma.rows(), sigma.rows()));
    if (with_slack.info() != Eigen::Success)
        throw Error("Gaussian over logits: the covariance has a negative eigenvalue, expected a positive semidefinite "
                    "matrix.");
}

}   // namespace

LogitGaussian::LogitGaussian(std::vector<double> mu, std::vector<double> full, std::vector<double> diagonal,
                             std::vector<double> factor)
    : mu_(std::move(mu)), full_(std::move(full)), diagonal_(std::move(diagonal)), factor_(std::move(factor)),
      rank_(static_cast<int>(factor_.size() / mu_.size()))
{}

LogitGaussian LogitGaussian::from_covariance(std::vector<double> mu, std::vector<double> covariance)
{
    require_mean(mu);
    const auto K = static_cast<Eigen::Index>(mu.size());
    require_count("the covariance", covariance.size(), mu.size() * mu.size());
    Eigen::Map<Rows> sigma(covariance.data(), K, K);
    std::vector<double> diagonal(mu.size());
    for (Eigen::Index k = 0; k < K; ++k)
        diagonal[k] = sigma(k, k);
    require_variances(diagonal, true);
    require_symmetric(sigma);
    sigma = (0.5 * (sigma + sigma.transpose())).eval();
    require_not_negative(sigma);
    return {std::move(mu), std::move(covariance), {}, {}};
}

LogitGaussian LogitGaussian::from_diagonal(std::vector<double> mu, std::vector<double> variance)
{
    require_mean(mu);
    require_count("the variance", variance.size(), mu.size());
    require_variances(variance, false);
    return {std::move(mu), {}, std::move(variance), {}};
}

LogitGaussian LogitGaussian::from_factor(std::vector<double> mu, std::vector<double> diagonal,
                                         std::vector<double> factor)
{
    require_mean(mu);
    require_count("the diagonal", diagonal.size(), mu.size());
    require_variances(diagonal, true);
    if (factor.empty() || factor.size() % mu.size() != 0)
        throw Error("Gaussian over logits: the factor has " + std::to_string(factor.size())
                    + " values, expected a multiple of the " + std::to_string(mu.size()) + " classes.");
    for (std::size_t i = 0; i < factor.size(); ++i)
        if (!std::isfinite(factor[i]))
            throw Error("Gaussian over logits: value " + std::to_string(i) + " of the factor is "
                        + number_text(factor[i], 6) + ", expected a finite number.");
    return {std::move(mu), {}, std::move(diagonal), std::move(factor)};
}

double LogitGaussian::covariance(int k, int l) const
{
    if (!full_.empty())
        return full_[static_cast<std::size_t>(k) * mu_.size() + l];
    double sum = k == l ? diagonal_[k] : 0;
    for (int r = 0; r < rank_; ++r)
        sum += factor_[static_cast<std::size_t>(k) * rank_ + r] * factor_[static_cast<std::size_t>(l) * rank_ + r];
    return sum;
}

std::vector<double> LogitGaussian::variance() const
{
    std::vector<double> v(mu_.size());
    for (int k = 0; k < n_classes(); ++k)
        v[k] = covariance(k, k);
    return v;
}

std::vector<double> LogitGaussian::row_sums() const
{
    std::vector<double> sums(mu_.size(), 0);
    if (!full_.empty()) {
        for (int k = 0; k < n_classes(); ++k)
            for (int l = 0; l < n_classes(); ++l)
                sums[k] += covariance(k, l);
        return sums;
    }
    std::vector<double> columns(rank_, 0);   // Fᵀ 1
    for (int k = 0; k < n_classes(); ++k)
        for (int r = 0; r < rank_; ++r)
            columns[r] += factor_[static_cast<std::size_t>(k) * rank_ + r];
    for (int k = 0; k < n_classes(); ++k) {
        sums[k] = diagonal_[k];
        for (int r = 0; r < rank_; ++r)
            sums[k] += factor_[static_cast<std::size_t>(k) * rank_ + r] * columns[r];
    }
    return sums;
}

std::vector<double> LogitGaussian::covariance() const
{
    if (!full_.empty())
        return full_;
    std::vector<double> sigma(mu_.size() * mu_.size());
    for (int k = 0; k < n_classes(); ++k)
        for (int l = 0; l < n_classes(); ++l)
            sigma[static_cast<std::size_t>(k) * mu_.size() + l] = covariance(k, l);
    return sigma;
}

LogitGaussian LogitGaussian::among(std::span<const int> classes) const
{
    std::vector<char> taken(mu_.size(), 0);
    std::vector<double> mu, sigma;
    for (const int k : classes) {
        if (k < 0 || k >= n_classes() || taken[k])
            throw Error("Gaussian over logits: class " + std::to_string(k)
                        + " selected, expected different classes from 0 to " + std::to_string(n_classes() - 1) + ".");
        taken[k] = 1;
        mu.push_back(mu_[k]);
        for (const int l : classes)
            sigma.push_back(l >= 0 && l < n_classes() ? covariance(k, l) : 0);
    }
    return from_covariance(std::move(mu), std::move(sigma));
}

LogitGaussian merged_by_moments(const LogitGaussian& logits, std::span<const int> group, std::uint64_t seed,
                                int n_draws)
{
    const int K = logits.n_classes();
    if (static_cast<int>(group.size()) != K)
        throw Error("Merged classes: " + std::to_string(group.size()) + " groups found, expected one per class for "
                    + std::to_string(K) + " classes.");
    const int G = *std::max_element(group.begin(), group.end()) + 1;
    for (int g = 0; g < G; ++g)
        if (std::count(group.begin(), group.end(), g) == 0)
            throw Error("Merged classes: group " + std::to_string(g)
                        + " has no class, expected groups numbered 0, 1, 2, … without gaps.");
    if (G < 2 || *std::min_element(group.begin(), group.end()) < 0 || n_draws < 2)
        throw Error("Merged classes: " + std::to_string(G) + " groups and " + std::to_string(n_draws)
                    + " samples found, expected at least 2 of both.");
    const LogitAxes axes(logits);
    constexpr std::size_t chunk = 512;
    const auto n                = static_cast<std::size_t>(n_draws);
    struct Sums {
        Eigen::VectorXd first;
        Eigen::MatrixXd second;
    };
    std::vector<Sums> parts((n + chunk - 1) / chunk);
    // Moments about the groups' values at μ, for precision with narrow distributions
    const auto group_logits = [&](const Eigen::VectorXd& z) {
        Eigen::VectorXd high = Eigen::VectorXd::Constant(G, -INFINITY), sum = Eigen::VectorXd::Zero(G);
        for (int k = 0; k < K; ++k)
            high[group[k]] = std::max(high[group[k]], z[k]);
        for (int k = 0; k < K; ++k)
            sum[group[k]] += std::exp(z[k] - high[group[k]]);
        return Eigen::VectorXd(high.array() + sum.array().log());
    };
    const Eigen::VectorXd mu = Eigen::Map<const Eigen::VectorXd>(logits.mu().data(), K), centre = group_logits(mu);
    parallel_for(parts.size(), [&](std::size_t c) {
        Sums part{Eigen::VectorXd::Zero(G), Eigen::MatrixXd::Zero(G, G)};
        std::vector<double> x(axes.axes.size());
        for (std::size_t i = c * chunk; i < std::min(n, (c + 1) * chunk); ++i) {
            standard_normals(NoiseKey{.seed = seed, .stream = Stream::logits, .index = 1}, i * x.size(),
                             std::span<double>(x));
            for (const double sign : {1.0, -1.0}) {
                Eigen::VectorXd z = mu;
                for (std::size_t a = 0; a < x.size(); ++a)
                    z += sign * x[a] * Eigen::Map<const Eigen::VectorXd>(axes.axes[a].direction.data(), K);
                const Eigen::VectorXd d = group_logits(z) - centre;
                part.first += d;
                part.second += d * d.transpose();
            }
        }
        parts[c] = std::move(part);
    });
    Sums total = std::move(parts[0]);
    for (std::size_t c = 1; c < parts.size(); ++c) {
        total.first += parts[c].first;
        total.second += parts[c].second;
    }
    const double count          = 2.0 * static_cast<double>(n);
    const Eigen::VectorXd shift = total.first / count, merged = centre + shift;
    const Rows sigma = total.second / count - shift * shift.transpose();
    return LogitGaussian::from_covariance({merged.data(), merged.data() + G},
                                          {sigma.data(), sigma.data() + sigma.size()});
}

LogitAxes::LogitAxes(const LogitGaussian& logits)
{
    const int K = logits.n_classes();
    Eigen::MatrixXd sigma(K, K);
    for (int k = 0; k < K; ++k)
        for (int l = 0; l < K; ++l)
            sigma(k, l) = logits.covariance(k, l);
    const Eigen::VectorXd rows = sigma.rowwise().mean();
    const double all           = rows.mean();
    sigma.colwise() -= rows;
    sigma.rowwise() -= rows.transpose();
    sigma.array() += all;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(sigma);
    const double largest = eigen.eigenvalues()(K - 1);
    for (int i = 0; i < K; ++i) {
        const double lambda = eigen.eigenvalues()(i);
        if (!(lambda > 1e-15 * largest) || !(largest > 0))
            continue;
        Axis axis;
        const Eigen::VectorXd direction = std::sqrt(lambda)
                                          * (eigen.eigenvectors().col(i).array() - eigen.eigenvectors().col(i).mean());
        axis.direction.assign(direction.data(), direction.data() + K);
        axis.range = direction.maxCoeff() - direction.minCoeff();
        if (axis.range > 0)
            axes.push_back(std::move(axis));
    }
    while (axes.size() > static_cast<std::size_t>(K - 1))
        axes.erase(axes.begin());   // the smallest axis is the direction of 1, with rounding errors only
}

AxisNodes axis_nodes(const LogitAxes::Axis& axis, double finer)
{
    constexpr double reach = 9;   // standard deviations
    AxisNodes nodes;
    nodes.step  = 0.5 * std::min(1.0, 1 / axis.range) / finer;
    const int n = static_cast<int>(std::ceil(reach / nodes.step));
    double sum  = 0;
    for (int i = -n; i <= n; ++i) {
        nodes.position.push_back(i * nodes.step);
        nodes.weight.push_back(std::exp(-0.5 * nodes.position.back() * nodes.position.back()));
        sum += nodes.weight.back();
    }
    for (double& w : nodes.weight)
        w /= sum;
    return nodes;
}

}   // namespace credence
