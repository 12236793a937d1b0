// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "prediction/gaussian_process.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace credence {
namespace {

double logistic(double f) { return f >= 0 ? 1 / (1 + std::exp(-f)) : std::exp(f) / (1 + std::exp(f)); }

/// ln σ(f)
double log_logistic(double f) { return f >= 0 ? -std::log1p(std::exp(-f)) : f - std::log1p(std::exp(f)); }

Eigen::MatrixXd covariances(const VectorKernel& kernel, std::span<const double> x, std::size_t d)
{
    const auto n = static_cast<Eigen::Index>(x.size() / d);
    Eigen::MatrixXd out(n, n);
    for (Eigen::Index i = 0; i < n; ++i)
        for (Eigen::Index j = 0; j <= i; ++j)
            out(i, j) = out(j, i) = kernel(x.subspan(static_cast<std::size_t>(i) * d, d),
                                           x.subspan(static_cast<std::size_t>(j) * d, d));
    if (!out.allFinite())
        throw Error("Gaussian process: a covariance is not finite. Check the inputs and the prior.");
    return out;
}

}   // namespace

struct GaussianProcessClassifier::Factor {
    Eigen::LLT<Eigen::MatrixXd> cholesky;   // of I + W^½ K W^½
    Eigen::VectorXd root_of_w, gradient;    // W^½, and the gradient of ln p(y | f) at the mode
};

GaussianProcessClassifier::GaussianProcessClassifier(VectorKernel kernel, std::span<const double> x, std::size_t d,
                                                     std::span<const int> labels)
    : kernel_(std::move(kernel)), d_(d), x_(x.begin(), x.end())
{
    constexpr int most_iterations = 100;
    constexpr double tolerance    = 1e-9;   // nats
    const auto n                  = static_cast<Eigen::Index>(labels.size());
    const Eigen::MatrixXd K       = covariances(kernel_, x_, d_);
    Eigen::VectorXd t(n);
    for (Eigen::Index i = 0; i < n; ++i)
        t[i] = labels[static_cast<std::size_t>(i)];
    auto factor       = std::make_unique<Factor>();
    Eigen::VectorXd a = Eigen::VectorXd::Zero(n), f = a;   // f = K a
    const auto factorise = [&] {
        const Eigen::VectorXd p = f.unaryExpr(&logistic);
        factor->gradient        = t - p;
        factor->root_of_w       = (p.array() * (1 - p.array())).sqrt().matrix();
        Eigen::MatrixXd B       = factor->root_of_w.asDiagonal() * K * factor->root_of_w.asDiagonal();
        B.diagonal().array() += 1;
        factor->cholesky.compute(B);
    };
    const auto objective = [&](const Eigen::VectorXd& at_a, const Eigen::VectorXd& at_f) {
        double sum = -0.5 * at_a.dot(at_f);
        for (Eigen::Index i = 0; i < n; ++i)
            sum += log_logistic(t[i] > 0 ? at_f[i] : -at_f[i]);
        return sum;
    };
    double now = objective(a, f);
    for (int k = 0; k < most_iterations; ++k) {
        factorise();
        const auto& root        = factor->root_of_w;
        const Eigen::VectorXd b = (root.array().square() * f.array()).matrix() + factor->gradient;
        const Eigen::VectorXd next =
            b - (root.array() * factor->cholesky.solve((root.array() * (K * b).array()).matrix()).array()).matrix();
        double step = 1, there = 0;
        Eigen::VectorXd new_a, new_f;
        for (; step > 1e-6; step /= 2) {   // Newton's step can be too long
            new_a = a + step * (next - a);
            new_f = K * new_a;
            there = objective(new_a, new_f);
            if (there >= now)
                break;
        }
        if (!(there >= now))
            break;
        const double gain = there - now;
        a                 = new_a;
        f                 = new_f;
        now               = there;
        if (gain < tolerance)
            break;
    }
    factorise();
    double log_determinant = 0;
    for (Eigen::Index i = 0; i < n; ++i)
        log_determinant += std::log(factor->cholesky.matrixLLT()(i, i));
    log_marginal_likelihood_ = now - log_determinant;
    mode_.assign(f.data(), f.data() + n);
    factor_ = std::move(factor);
}

GaussianProcessClassifier::~GaussianProcessClassifier()                                    = default;
GaussianProcessClassifier::GaussianProcessClassifier(GaussianProcessClassifier&&) noexcept = default;

std::vector<double> GaussianProcessClassifier::probabilities(std::span<const double> x,
                                                             const std::stop_token& stop) const
{
    std::vector<double> out;
    const auto n = static_cast<Eigen::Index>(mode_.size());
    const std::span<const double> rows(x_);
    Eigen::VectorXd between(n);
    for (std::size_t i = 0; i < x.size() / d_; ++i) {
        if (stop.stop_requested())
            return {};
        const auto here = x.subspan(i * d_, d_);
        for (Eigen::Index j = 0; j < n; ++j)
            between[j] = kernel_(here, rows.subspan(static_cast<std::size_t>(j) * d_, d_));
        const Eigen::VectorXd v = factor_->cholesky.matrixL().solve(
            (factor_->root_of_w.array() * between.array()).matrix());
        const double variance = std::max(0.0, kernel_(here, here) - v.squaredNorm());
        out.push_back(logistic(between.dot(factor_->gradient) / std::sqrt(1 + std::numbers::pi * variance / 8)));
    }
    return out;
}

std::optional<RbfKernel> fitted_rbf_of_classes(std::span<const double> x, std::size_t d, std::span<const int> labels,
                                               const std::stop_token& stop)
{
    const std::size_t n = labels.size();
    if (n == 0)
        throw Error("Gaussian process: there are no rows to fit.");
    std::vector<double> mean(d);
    for (std::size_t i = 0; i < x.size(); ++i)
        mean[i % d] += x[i] / static_cast<double>(n);
    double extent = 0;
    for (std::size_t i = 0; i < n; ++i) {
        double squares = 0;
        for (std::size_t j = 0; j < d; ++j)
            squares += (x[i * d + j] - mean[j]) * (x[i * d + j] - mean[j]);
        extent = std::max(extent, std::sqrt(squares));
    }
    extent = extent > 0 ? extent : 1;
    RbfKernel best;
    double highest = -std::numeric_limits<double>::infinity();
    for (const double share : {0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0, 2.0})
        for (const double amplitude : {1.0, 2.0, 4.0, 8.0, 16.0}) {
            if (stop.stop_requested())
                return {};
            const RbfKernel kernel{share * extent, amplitude};
            const double value = GaussianProcessClassifier(kernel, x, d, labels).log_marginal_likelihood();
            if (value > highest) {
                highest = value;
                best    = kernel;
            }
        }
    return best;
}

}   // namespace credence
