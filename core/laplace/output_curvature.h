// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/likelihood.h"

#include <span>

namespace credence {

/// Number of columns in a root of the output curvature: K − 1 for softmax with K classes, 1 or 2
/// for the Gaussians.
int curvature_columns(const Likelihood& likelihood, int n_outputs);

/// Computes roots R of the output curvature, Λ = R Rᵀ, for each example. Λ is the curvature of −ln
/// p(y | outputs) with respect to the outputs, which the GGN places between the Jacobians (Hobbhahn
/// 2020, (3.4)).
///     softmax:  Λ = diag p − p pᵀ, which does not depend on y; with the tails q_j = Σ_{i>j} p_i
///               its Cholesky factor is
///               R_jj = √(p_j q_j / q_{j−1}),  R_ij = −p_i √(p_j / (q_{j−1} q_j)) for i > j;
///               the last column is 0 and is omitted
///     gaussian: Λ = 1/s²
///     learned:  the Fisher information of (f, t), s = softplus(t) + smallest_noise_sd:
///               Λ = diag(1/s², 2 σ(t)²/s²),
///               which is the mean of the exact second derivative under the model
/// @param outputs  [n × k]
/// @param roots    [columns × n × k], column by column
template <class T>
void output_curvature_roots(const Likelihood& likelihood, std::span<const T> outputs, int n, int k, std::span<T> roots);

/// Computes the exact second derivative of −ln p(y | outputs) for one example [k × k]. Softmax and
/// Gaussian with given noise use Λ above. For learned noise, with r = f − y:
///     ∂²/∂f² = 1/s²,  ∂²/∂f∂t = −2 r σ/s³,
///     ∂²/∂t² = (3r²/s⁴ − 1/s²) σ² + (1/s − r²/s³) σ (1 − σ),  σ = σ(t)
void output_hessian(const Likelihood& likelihood, std::span<const double> outputs, double target,
                    std::span<double> hessian);

}   // namespace credence
