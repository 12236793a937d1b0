// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/curvature.h"

#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace credence {

/// No noise in the weights: Σ = 0.
struct NoCovariance {};

/// Independent weights.
struct IndependentCovariance {
    std::vector<double> variances;   ///< [layout.size()], 0 for fixed weights
};

/// The covariance matrix of one block whose neighbouring weights are correlated; all entries beyond
/// the first off-diagonal are 0.
struct NeighbourCovariance {
    std::vector<double> diagonal;       ///< τ² m_i² [K]
    std::vector<double> off_diagonal;   ///< ρ τ² |m_i m_{i+1}| [K - 1]
    double log_determinant     = 0;     ///< K ln τ² + Σ ln m_i² + ln D_K
    double log_det_correlation = 0;     ///< ln D_K
};
struct NeighbourCovariances {
    std::vector<NeighbourCovariance> blocks;   ///< one per block of the layout
};

/// Correlations within a layer: the weights of a factor are independent along the products of its
/// eigenvectors.
struct KroneckerCovariance {
    std::span<const KroneckerFactor> factors;
    std::span<const std::vector<double>> variances;   ///< for factor f along eigenvector (o, i) [out × in]
};

/// Σ⁻¹ = Uᵀ diag(p) U + λ (I − Uᵀ U) over the uncertain weights: a separate precision along each of
/// r orthonormal directions, and one precision for all others.
struct LowRankCovariance {
    std::span<const double> directions;        ///< U by rows [r × uncertain weights]; empty if it would be large
    std::span<const float> directions_float;   ///< U, if `directions` is empty
    std::vector<double> precisions;            ///< p [r]
    std::optional<double> rest;                ///< λ; empty if U has all directions
};

/// The sample covariance of M draws: Σ = 1/(M − 1) Σ_s (w_s − w̄)(w_s − w̄)ᵀ, M >= 2.
struct SampleCovariance {
    std::span<const float> draws;   ///< [M × layout.size()]
    std::span<const float> mean;    ///< w̄ [layout.size()]
};

/// Covariance of the weights of a posterior. Spans point into the posterior.
using Covariance = std::variant<NoCovariance, IndependentCovariance, NeighbourCovariances, KroneckerCovariance,
                                LowRankCovariance, SampleCovariance>;

}   // namespace credence
