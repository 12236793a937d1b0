// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/aligned_vector.h"
#include "foundation/state_bytes.h"

#include <Eigen/Core>

#include <span>

namespace credence {

enum class MetricKind {
    diagonal,   ///< a scale for each weight: always affordable
    dense,      ///< with correlations: for networks of up to some hundred weights, where it saves more
                ///< steps than its products cost
};

/// The Euclidean metric of the momenta: M⁻¹, an estimate of the posterior's covariance.
///     p ~ N(0, M),   K(p) = ½ pᵀ M⁻¹ p,   velocity v = M⁻¹ p
class Metric {
public:
    static constexpr std::size_t largest_dense = 2000;

    static Metric unit(std::size_t dimension);
    /// @param variances      the diagonal of M⁻¹ [n]
    /// @throws Error         "Metric: variance of weight 3 is -1, expected a positive number."
    static Metric diagonal(std::span<const double> variances);
    /// @param covariance     M⁻¹ [n × n]
    /// @throws Error         if it is not positive definite, or n > largest_dense
    static Metric dense(const Eigen::MatrixXd& covariance);

    /// Reads or writes it. @throws Error if the data are not a metric of this dimension
    void serialise(StateBytes& state);

    MetricKind kind() const { return kind_; }
    std::size_t dimension() const { return variances_.size(); }
    /// The diagonal of M⁻¹ [n].
    std::span<const double> variances() const { return variances_; }
    /// M⁻¹ [n × n], dense only.
    const Eigen::MatrixXd& covariance() const { return covariance_; }

    /// Computes v = M⁻¹ p and returns K = ½ pᵀ v.
    double velocity(std::span<const double> momentum, std::span<double> velocity) const;
    /// Turns standard normals z into a momentum: z ← L⁻ᵀ z with M⁻¹ = L Lᵀ.
    void make_momentum(std::span<double> normals) const;

private:
    MetricKind kind_ = MetricKind::diagonal;
    aligned_vector<double> variances_, momentum_sd_;
    Eigen::MatrixXd covariance_, lower_;   // dense only
};

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
    Eigen::VectorXd mean_, before_, after_;
    Eigen::MatrixXd products_;   // lower half
    long count_ = 0;
};

}   // namespace credence
