// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/autocorrelation.h"
#include "chains/diagnostic_value.h"

namespace credence {

/// The number of draws of these chains per independent draw, each chain about its own mean, so that
/// separated chains do not count as slow:
///
///     τ = max(1, −1 + 2 Σ_{k<K} P_k),   P_k = ρ(2k) + ρ(2k + 1),   ρ(t) = γ(t)/γ(0)
///
/// Geyer's initial monotone positive sequence (Geyer 1992), as in ess_of_chains.
/// @param work  memory reused between calls
double autocorrelation_time(const ScalarDraws& chains, MeanAutocovariance& work);

/// Blocks have this many autocorrelation times, and each chain has at least this many blocks. Both
/// values were found by simulation, see docs/linter.md.
inline constexpr double times_in_a_block   = 4;
inline constexpr std::size_t fewest_blocks = 4;
inline constexpr std::size_t most_blocks   = 32;

/// Returns the probability of chain means at least as far apart if all chains draw from one
/// distribution: an analysis of variance of block means. Blocks several autocorrelation times long
/// are nearly independent, so that
///
///     F = (b Σ_m (x̄_m − x̄)²/(M − 1)) / (Σ_m Σ_j (x̄_mj − x̄_m)²/(M (b − 1)))
///
/// has the distribution F(M − 1, M (b − 1)), with x̄_mj the mean of block j of chain m.
///
/// R̂ compares the same means with the variance of single draws, so it increases with their
/// autocorrelation as well as with disagreement.
/// @param chains  approximately normal, for example normal scores of ranks; not split
/// @return  undefined: one chain, constant chains, or chains too short for `fewest_blocks` blocks
DiagnosticValue probability_of_chain_means(const ScalarDraws& chains, MeanAutocovariance& work);

}   // namespace credence
