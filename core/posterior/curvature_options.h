// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

}   // namespace credence
