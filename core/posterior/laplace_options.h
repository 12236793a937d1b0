// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/curvature_options.h"

namespace credence {

/// Where the prior precision λ of a Laplace approximation comes from.
enum class PrecisionFrom {
    hand,               ///< it is given
    evidence,           ///< it maximises ln p(D | λ)
    confidence,         ///< the mean of max p̄ over the training data meets a target
    confidence_below,   ///< the same mean lies some percent below that of the point estimate (Hobbhahn 2020, appendix D: 5 %)
};
/// Is λ moved until the mean confidence is as wanted?
inline constexpr bool matches_confidence(PrecisionFrom from)
{
    return from == PrecisionFrom::confidence || from == PrecisionFrom::confidence_below;
}

/// How draws of the weights become predictions.
enum class LaplacePredictive {
    weights,   ///< the net itself at each draw: the exact posterior predictive, but of a Gaussian that may reach where its net fits nothing
    linearised,   ///< f(x; θ_MAP) + J(x)(θ − θ_MAP), the net to which the Gauss–Newton curvature and its evidence belong (Immer, Korzepa and Bauer 2021)
};

/// What is made of a trained point estimate: N(θ_MAP, Σ), Σ⁻¹ = curvature of the summed loss + λI (Hobbhahn 2020, (3.1)–(3.9)).
struct LaplaceOptions {
    CurvatureOptions curvature;
    PrecisionFrom precision_from                 = PrecisionFrom::evidence;
    double precision                             = 1;      ///< by hand: λ = 1/σ₀²
    double confidence                            = 0.95;   ///< confidence: the target
    double confidence_below                      = 5;      ///< confidence_below: percent of the point estimate's
    LaplacePredictive predictive                 = LaplacePredictive::weights;
    bool operator==(const LaplaceOptions&) const = default;
};

}   // namespace credence
