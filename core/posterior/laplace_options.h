// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/curvature_options.h"

namespace credence {

/// How the prior precision λ of a Laplace approximation is chosen.
enum class PrecisionFrom {
    hand,         ///< fixed
    evidence,     ///< maximises ln p(D | λ)
    confidence,   ///< the mean of max p̄ over the training data meets a target
    /// The same mean is a given percentage below that of the point estimate (Hobbhahn 2020,
    /// appendix D: 5 %)
    confidence_below,
};
/// True if λ is chosen to match a mean confidence.
inline constexpr bool matches_confidence(PrecisionFrom from)
{
    return from == PrecisionFrom::confidence || from == PrecisionFrom::confidence_below;
}

/// How weight samples become predictions.
enum class LaplacePredictive {
    /// The original network at each sample: the exact posterior predictive, but samples of a wide
    /// Gaussian may not fit the data
    weights,
    /// f(x; θ_MAP) + J(x)(θ − θ_MAP), the model of the Gauss–Newton curvature and its evidence
    /// (Immer, Korzepa and Bauer 2021)
    linearised,
};

/// The approximation around a trained point estimate: N(θ_MAP, Σ), Σ⁻¹ = curvature of the summed
/// loss + λI (Hobbhahn 2020, (3.1)–(3.9)).
struct LaplaceOptions {
    CurvatureOptions curvature;
    PrecisionFrom precision_from                 = PrecisionFrom::evidence;
    double precision                             = 1;      ///< hand: λ = 1/σ₀²
    double confidence                            = 0.95;   ///< confidence: the target
    double confidence_below                      = 5;      ///< confidence_below: percentage below the point estimate's
    LaplacePredictive predictive                 = LaplacePredictive::weights;
    bool operator==(const LaplaceOptions&) const = default;
};

}   // namespace credence
