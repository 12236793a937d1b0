// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/field_value.h"
#include "network/architecture.h"

#include <map>
#include <string>
#include <vector>

namespace credence {

/// Structure of the curvature of the summed −ln p(y | x, θ) at θ_MAP.
enum class CurvatureStructure {
    diagonal,    ///< one number per weight: any size, no correlations
    kronecker,   ///< B ⊗ A for each layer: correlations within a layer. The usual choice
    full,        ///< all correlations: small networks, or few training points
};
/// Which weights are uncertain; the others are fixed at θ_MAP.
enum class CurvatureLayers {
    all,
    last,   ///< the last layer's weights and biases: cheap, and exact as a Hessian
};
enum class CurvatureKind {
    ggn,   ///< Σ_n J_nᵀ Λ_n J_n, positive semidefinite
    /// The exact second derivatives, structures diagonal and full; the same as ggn for softmax with
    /// `last`, and on the diagonal of piecewise linear networks; otherwise for small networks
    hessian,
};
/// How a Kronecker product and the prior precision λ are combined (docs/maths.md, section 5).
enum class KroneckerForm {
    joint,         ///< B ⊗ A + λI with the bias as one more input
    split,         ///< B ⊗ A + λI for the weights, B + λI for the biases
    square_root,   ///< (B/√N + √λ I) ⊗ (√N A + √λ I), Hobbhahn 2020, (3.8)
};
struct CurvatureOptions {
    CurvatureStructure structure = CurvatureStructure::kronecker;
    CurvatureLayers layers       = CurvatureLayers::all;
    CurvatureKind kind           = CurvatureKind::ggn;
    KroneckerForm form           = KroneckerForm::joint;
    int rank = 0;   ///< full: number of directions of largest curvature used, the others have curvature 0; 0: all
    bool operator==(const CurvatureOptions&) const = default;
};

inline constexpr int most_directions       = 100'000;   ///< CurvatureOptions::rank
inline constexpr double smallest_precision = 1e-6, largest_precision = 1e8;

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

/// Initial values and guards of a posterior, per block where the papers have one per block.
struct PosteriorOptions {
    std::string family = "mean_field";   ///< id of a Method
    double initial_sd  = 0.05;           ///< mean_field: σ = softplus(pre-softplus σ)
    std::vector<double> initial_tau =
        {};   ///< layer_scale, tridiagonal: per block; a shorter list repeats its last pair (weights, biases)
    std::vector<double> initial_rho =
        {};                      ///< tridiagonal: per block, in (-½, ½); a shorter list repeats its last pair
    double dropout_rate = 0.2;   ///< bernoulli_dropout: shown by describe(); the masks are layers of the network
    bool guard_gamma =
        true;   ///< |γ| >= 0.04000533 (Posch and Pilz 2021, pseudocode lines 7–25); not needed by the closed form
    bool guard_spread      = true;        ///< δ >= guard_delta, |γ| <= 10, |m| >= guard_mean
    double guard_delta     = -4.600166;   ///< τ >= 0.01 (Posch and Pilz 2021)
    double guard_mean      = 1e-6;        ///< 0: means are not limited
    LaplaceOptions laplace = {};          ///< laplace: settings of the phase after training
    std::map<std::string, FieldValue> own =
        {};   ///< settings of the methods, by path; missing ones have their defaults
};

/// Initial τ of block b (blocks alternate between weights and biases): its entry in the list; beyond
/// the list, the last pair (weights, biases) is repeated. Empty list: 0.4 weights, 0.1 biases
/// (Steinbrener et al. 2020).
double initial_tau(const PosteriorOptions& options, std::size_t block);
/// Initial ρ of block b, with the same rule for short lists. Empty list: 0.01, the limit of the
/// guard of Posch and Pilz 2021.
double initial_rho(const PosteriorOptions& options, std::size_t block);

// These functions check initial values. @throws Error (field "posterior.…")
void require_initial_sd(const PosteriorOptions& options);
void require_dropout_rate(double rate);
void require_initial_tau(const PosteriorOptions& options,
                         const ParameterLayout& layout);   ///< positive; at most one per block
void require_initial_rho(const PosteriorOptions& options,
                         const ParameterLayout& layout);   ///< in (-½, ½); at most one per block

}   // namespace credence
