// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/autocorrelation.h"
#include "chains/diagnostic_value.h"
#include "chains/scalar_draws.h"

#include <optional>
#include <vector>

namespace credence {

/// With fewer draws per chain there are no diagnostics: its halves would have no variance.
inline constexpr std::size_t fewest_draws = 4;

/// Why draws have no diagnostics: no chain, too few draws, a draw that is not finite, or all equal.
/// Empty: they have.
/// @param name         start of the sentence, e.g. "Convergence"
/// @param first_chain  number of the first of these chains, for the sentence
std::optional<DiagnosticValue> why_not_judged(const char* name, const ScalarDraws& draws, std::size_t first_chain = 0);

/// Each chain as two of half its length, so that a chain that drifts differs from itself [2
/// n_chains × ⌊n_draws/2⌋]: first and second half of chain 0, of chain 1, … Of an odd number of
/// draws the middle one is left out (Vehtari, Gelman, Simpson, Carpenter and Bürkner 2021).
OwnedDraws split_chains(const ScalarDraws& draws);
/// The same into memory of the caller [2 n_chains ⌊n_draws/2⌋].
void split_chains(const ScalarDraws& draws, std::span<double> halves);

/// Potential scale reduction of M >= 2 chains of n >= 2 draws, as they are, not split:
///
///     R̂ = √(((n − 1)/n W + B/n)/W),   W = (1/M) Σ s_m²,   B/n = 1/(M − 1) Σ (x̄_m − x̄)²
///
/// Not defined if all values are the same, nor if each chain stands still at a value of its own (W
/// = 0: no bound). Finite values of which the squares are finite too. Source: Vehtari, Gelman,
/// Simpson, Carpenter and Bürkner 2021.
DiagnosticValue r_hat_of_chains(const ScalarDraws& chains);

/// Effective sample size of M chains of n >= 2 draws, S = Mn, as they are, not split:
///
///     ESS = S/τ,   τ = max(−1 + 2 Σ_{k<K} P_k + max(0, ρ(2K)), 1/log10 S),
///     ρ(t) = 1 − (W − γ(t))/var⁺,   var⁺ = (n − 1)/n W + B/n
///
/// P_k = ρ(2k) + ρ(2k + 1), ρ(0) = 1, as far as they are positive, and never above the one before:
/// Geyer's initial monotone positive sequence (Geyer 1992); K is the first that is not positive.
/// Its even lag lessens the scatter for antithetic chains. The last lags, of few products each, are
/// left to themselves as the authors' program does: all k but 0 have 2k < n − 5.
/// Source: Vehtari, Gelman, Simpson, Carpenter and Bürkner 2021; R package posterior.
/// @param work  memory reused between calls
DiagnosticValue ess_of_chains(const ScalarDraws& chains, MeanAutocovariance& work);

}   // namespace credence
