// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simplex/logistic_normal.h"

#include <optional>

namespace credence {

/// The Dirichlet that minimises KL(softmax distribution ‖ Dir): the one with the same expected
/// logarithms, E ln π_k = ψ(α_k) − ψ(α_0). Newton steps on ln α with the exact Hessian diag ψ'(α_k)
/// − ψ'(α_0) 11ᵀ (Minka 2000, in a multiplicative form that keeps α positive). Uses E ln π as
/// ln softmax(μ) minus the Jensen gap: precise also for narrow distributions.
/// @throws Error if α would leave [1e-12, 1e14]
Dirichlet best_dirichlet(const LogitGaussian& logits, const LogitExpectations& of_logits);

/// Distances of a Dirichlet from the distribution of softmax(z), as shown next to the triangles.
struct SimplexDivergences {
    double kl = 0;                           ///< KL(softmax distribution ‖ Dirichlet), nats
    std::optional<double> total_variation;   ///< ½ ∫|p − q|, in [0, 1]; K <= 3
    std::optional<double> hellinger;         ///< √(1 − ∫√(pq)), in [0, 1]; K <= 3
    double mass_p = 1, mass_q = 1;           ///< ∫p and ∫q by quadrature: 1 to within 1e-6; K <= 3
};
/// Total variation and Hellinger distance are integrals of bounded functions of ln q/p under p and
/// under q, each on its own nodes (in logit coordinates: the Gaussian's principal axes; the
/// Dirichlet's sticks), so one distribution can be a thousand times narrower than the other:
///     ∫|p − q| = E_p |tanh(l/2)| + E_q |tanh(l/2)|,   l = ln q/p
///     ∫√(pq)  = ½ (E_p 1/cosh(l/2) + E_q 1/cosh(l/2))
SimplexDivergences compare(const LogisticNormal& p, const Dirichlet& q, const LogitExpectations& of_p);

}   // namespace credence
