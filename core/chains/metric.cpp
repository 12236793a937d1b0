// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/metric.h"

#include "foundation/error.h"
#include "foundation/number_text.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace credence {
namespace {

void require_variances(std::span<const double> variances)
{
    for (std::size_t i = 0; i < variances.size(); ++i)
        if (!(variances[i] > 0) || !std::isfinite(variances[i]))
            throw Error("Metric: variance of weight " + std::to_string(i + 1) + " is " + plain_text(variances[i])
                        + ", expected a positive number.");
}

}   // namespace

Metric Metric::unit(std::size_t dimension) { return diagonal(std::vector<double>(dimension, 1.0)); }

Metric Metric::diagonal(std::span<const double> variances)
{
    require_variances(variances);
    Metric metric;
    metric.variances_.assign(variances.begin(), variances.end());
    for (const double variance : variances)
        metric.momentum_sd_.push_back(1 / std::sqrt(variance));
    return metric;
}

Metric Metric::dense(const Eigen::MatrixXd& covariance)
{
    const auto n = static_cast<std::size_t>(covariance.rows());
    if (covariance.cols() != covariance.rows() || n > largest_dense)
        throw Error("Metric: the covariance is " + std::to_string(covariance.rows()) + " × "
                    + std::to_string(covariance.cols()) + ", expected a square of at most "
                    + std::to_string(largest_dense) + " weights. Use the diagonal metric for more.");
    const Eigen::VectorXd diagonal = covariance.diagonal();
    require_variances({diagonal.data(), n});
    const Eigen::LLT<Eigen::MatrixXd> factor(covariance);
    if (factor.info() != Eigen::Success || !covariance.allFinite())
        throw Error("Metric: the covariance is not positive definite.");
    Metric metric;
    metric.kind_ = MetricKind::dense;
    metric.variances_.assign(diagonal.data(), diagonal.data() + n);
    metric.covariance_ = covariance;
    metric.lower_      = factor.matrixL();
    return metric;
}

void Metric::serialise(StateBytes& state)
{
    MetricKind kind = kind_;
    const auto n    = static_cast<Eigen::Index>(dimension());
    state.within(kind, 0, static_cast<long>(MetricKind::dense));
    if (kind == MetricKind::diagonal) {
        std::vector<double> variances(variances_.begin(), variances_.end());
        state.values(std::span(variances));
        if (state.reading())
            *this = diagonal(variances);
        return;
    }
    Eigen::MatrixXd covariance = kind_ == MetricKind::dense ? covariance_ : Eigen::MatrixXd(n, n);
    state.values(std::span(covariance.data(), static_cast<std::size_t>(covariance.size())));
    if (state.reading())
        *this = dense(covariance);
}

double Metric::velocity(std::span<const double> momentum, std::span<double> velocity) const
{
    const std::size_t n = dimension();
    const double* p     = momentum.data();
    double* v           = velocity.data();
    double sum          = 0;
    if (kind_ == MetricKind::diagonal) {
        const double* variances = variances_.data();
#pragma omp simd reduction(+ : sum)
        for (std::size_t i = 0; i < n; ++i) {
            v[i] = variances[i] * p[i];
            sum += p[i] * v[i];
        }
    } else {
        const auto size = static_cast<Eigen::Index>(n);
        const Eigen::Map<const Eigen::VectorXd> in(p, size);
        Eigen::Map<Eigen::VectorXd> out(v, size);
        out.noalias() = covariance_ * in;
        sum           = in.dot(out);
    }
    return 0.5 * sum;
}

void Metric::make_momentum(std::span<double> normals) const
{
    if (kind_ == MetricKind::diagonal)
        for (std::size_t i = 0; i < normals.size(); ++i)
            normals[i] *= momentum_sd_[i];
    else {
        Eigen::Map<Eigen::VectorXd> z(normals.data(), static_cast<Eigen::Index>(normals.size()));
        lower_.transpose().triangularView<Eigen::Upper>().solveInPlace(z);
    }
}

void RunningVariances::clear()
{
    std::fill(mean_.begin(), mean_.end(), 0.0);
    std::fill(squares_.begin(), squares_.end(), 0.0);
    count_ = 0;
}

void RunningVariances::add(std::span<const double> values)
{
    const double share    = 1 / static_cast<double>(++count_);
    double* const mean    = mean_.data();
    double* const squares = squares_.data();
    const double* const x = values.data();
#pragma omp simd
    for (std::size_t i = 0; i < mean_.size(); ++i) {
        const double before = x[i] - mean[i];
        mean[i] += before * share;
        squares[i] += before * (x[i] - mean[i]);
    }
}

void RunningVariances::serialise(StateBytes& state)
{
    state.values(std::span(mean_));
    state.values(std::span(squares_));
    state.within(count_, 0, std::numeric_limits<long>::max());
}

RunningCovariance::RunningCovariance(std::size_t dimension)
{
    const auto n = static_cast<Eigen::Index>(dimension);
    mean_        = Eigen::VectorXd::Zero(n);
    before_ = after_ = mean_;
    products_        = Eigen::MatrixXd::Zero(n, n);
}

void RunningCovariance::clear()
{
    mean_.setZero();
    products_.setZero();
    count_ = 0;
}

void RunningCovariance::add(std::span<const double> values)
{
    const Eigen::Map<const Eigen::VectorXd> x(values.data(), static_cast<Eigen::Index>(values.size()));
    before_ = x - mean_;
    mean_ += before_ / static_cast<double>(++count_);
    after_ = x - mean_;
    for (Eigen::Index c = 0; c < products_.cols(); ++c) {   // (x - m_{t-1})(x - m_t)ᵀ is symmetric
        const Eigen::Index rows = products_.rows() - c;
        products_.col(c).tail(rows) += after_[c] * before_.tail(rows);
    }
}

void RunningCovariance::serialise(StateBytes& state)
{
    state.values(std::span(mean_.data(), static_cast<std::size_t>(mean_.size())));
    state.values(std::span(products_.data(), static_cast<std::size_t>(products_.size())));
    state.within(count_, 0, std::numeric_limits<long>::max());
}

Eigen::MatrixXd RunningCovariance::covariance() const
{
    Eigen::MatrixXd full = products_.selfadjointView<Eigen::Lower>();
    return full / static_cast<double>(count_ - 1);
}

}   // namespace credence
