// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/aligned_vector.h"
#include "foundation/state_bytes.h"

#include <Eigen/Core>

#include <span>

namespace credence {

/// Means and variances of vectors, updated one vector at a time with Welford's recurrence for each
/// element:
///     m_t = m_{t-1} + (x_t - m_{t-1})/t,   S_t = S_{t-1} + (x_t - m_{t-1})(x_t - m_t)
class RunningVariances {
public:
    explicit RunningVariances(std::size_t dimension) : mean_(dimension), squares_(dimension) {}

    void clear();
    void add(std::span<const double> values);
    void serialise(StateBytes& state);   ///< passes sums and count
    std::size_t dimension() const { return mean_.size(); }
    long count() const { return count_; }
    /// Divisor t - 1. @param i  0-based; requires at least two vectors
    double variance(std::size_t i) const { return squares_[i] / static_cast<double>(count_ - 1); }

private:
    aligned_vector<double> mean_, squares_;
    long count_ = 0;
};

/// The same for a covariance [n × n].
class RunningCovariance {
public:
    explicit RunningCovariance(std::size_t dimension);

    void clear();
    void add(std::span<const double> values);
    void serialise(StateBytes& state);   ///< passes sums and count
    long count() const { return count_; }
    Eigen::MatrixXd covariance() const;   ///< divisor t - 1

private:
    Eigen::VectorXd mean_, before_, behind_;
    Eigen::MatrixXd products_;   // lower half
    long count_ = 0;
};

}   // namespace credence
