// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/autocorrelation.h"
#include "chains/diagnostic_value.h"
#include "chains/scalar_draws.h"

#include <optional>
#include <vector>

namespace credence {

/// The minimum number of draws per chain for diagnostics: with fewer, the halves would have no
/// variance.
inline constexpr std::size_t fewest_draws = 4;

/// The reason why draws have no diagnostics: no chain, too few draws, a draw that is not finite, or
/// all draws equal. Empty if they have diagnostics.
/// @param name         start of the sentence, e.g. "Convergence"
/// @param first_chain  number of the first of these chains, for the sentence
std::optional<DiagnosticValue> why_not_judged(const char* name, const ScalarDraws& draws, std::size_t first_chain = 0);

/// Splits each chain into two of half its length, so that a drifting chain differs from itself [2
/// n_chains × ⌊n_draws/2⌋]: first and second half of chain 0, of chain 1, … The middle draw of an
/// odd number is dropped (Vehtari, Gelman, Simpson, Carpenter and Bürkner 2021).
OwnedDraws split_chains(const ScalarDraws& draws);
/// The same into the caller's memory [2 n_chains ⌊n_draws/2⌋].
void split_chains(const ScalarDraws& draws, std::span<double> halves);

/// Potential scale reduction of M >= 2 chains of n >= 2 draws, without splitting:
///
///     R̂ = √(((n − 1)/n W + B/n)/W),   W = (1/M) Σ s_m²,   B/n = 1/(M − 1) Σ (x̄_m − x̄)²
///
/// Undefined if all values are equal, or if each chain is stuck at its own value (W = 0:
/// unbounded). Requires finite values with finite squares. Source: Vehtari, Gelman, Simpson,
/// Carpenter and Bürkner 2021.
DiagnosticValue r_hat_of_chains(const ScalarDraws& chains);

/// Effective sample size of M chains of n >= 2 draws, S = Mn, without splitting:
///
///     ESS = S/τ,   τ = max(−1 + 2 Σ_{k<K} P_k + max(0, ρ(2K)), 1/log10 S),
///     ρ(t) = 1 − (W − γ(t))/var⁺,   var⁺ = (n − 1)/n W + B/n
///
/// P_k = ρ(2k) + ρ(2k + 1), ρ(0) = 1, while positive, and each at most the previous one: Geyer's
/// initial monotone positive sequence (Geyer 1992). K is the first k with P_k not positive. The
/// term of its even lag reduces the scatter for antithetic chains. The last lags, with few products
/// each, are excluded as in the authors' program: all k except 0 have 2k < n − 5.
/// Source: Vehtari, Gelman, Simpson, Carpenter and Bürkner 2021; R package posterior.
/// @param work  memory reused between calls
DiagnosticValue ess_of_chains(const ScalarDraws& chains, MeanAutocovariance& work);

}   // namespace credence
