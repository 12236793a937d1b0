// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/running_moments.h"

#include <algorithm>
#include <limits>

namespace credence {

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
    before_ = behind_ = mean_;
    products_         = Eigen::MatrixXd::Zero(n, n);
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
    behind_ = x - mean_;
    for (Eigen::Index c = 0; c < products_.cols(); ++c) {   // (x - m_{t-1})(x - m_t)ᵀ is symmetric
        const Eigen::Index rows = products_.rows() - c;
        products_.col(c).tail(rows) += behind_[c] * before_.tail(rows);
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
