// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/likelihood.h"

#include <span>

namespace credence {

/// How many columns a root of the outputs' curvature has: K − 1 for softmax with K classes, 1 or 2 for the Gaussians.
int curvature_columns(const Likelihood& likelihood, int n_outputs);

/// Roots R of the curvature Λ = R Rᵀ of −ln p(y | outputs) with respect to the outputs, one for each example: what the GGN (Hobbhahn 2020, (3.4)) puts between the Jacobians.
///     softmax:  Λ = diag p − p pᵀ, which does not depend on y; with the tails q_j = Σ_{i>j} p_i its Cholesky factor is
///               R_jj = √(p_j q_j / q_{j−1}),  R_ij = −p_i √(p_j / (q_{j−1} q_j)) for i > j;  the last column is 0 and left out
///     gaussian: Λ = 1/s²
///     learned:  the Fisher information of (f, t), s = softplus(t) + smallest_noise_sd: Λ = diag(1/s², 2 σ(t)²/s²). The exact second derivative has
///               terms with the residual besides, whose mean under the model is 0 but for these.
/// @param outputs  [n × k]
/// @param roots    [columns × n × k], column by column
template <class T>
void output_curvature_roots(const Likelihood& likelihood, std::span<const T> outputs, int n, int k, std::span<T> roots);

/// The exact second derivative of −ln p(y | outputs) of one example [k × k]. Softmax and Gaussian with given noise: Λ above. Learned noise, r = f − y:
///     ∂²/∂f² = 1/s²,  ∂²/∂f∂t = −2 r σ/s³,  ∂²/∂t² = (3r²/s⁴ − 1/s²) σ² + (1/s − r²/s³) σ (1 − σ),  σ = σ(t)
void output_hessian(const Likelihood& likelihood, std::span<const double> outputs, double target,
                    std::span<double> hessian);

}   // namespace credence
