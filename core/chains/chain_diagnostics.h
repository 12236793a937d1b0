// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/scalar_draws.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace credence {

/// The minimum number of draws per chain for diagnostics: with fewer, the halves would have no
/// variance.
inline constexpr std::size_t fewest_draws = 4;

/// Returns why draws have no diagnostics: no chain, too few draws, a draw that is not finite, or
/// all draws equal. Empty if they have diagnostics.
/// @param name         start of the sentence, e.g. "Convergence"
/// @param first_chain  number of the first of these chains, used in the sentence
std::optional<DiagnosticValue> why_not_judged(const char* name, const ScalarDraws& draws, std::size_t first_chain = 0);

/// Splits each chain into two of half its length, so that the halves of a drifting chain disagree.
/// The order is: first and second half of chain 0, of chain 1, … The middle draw of an odd number is
/// dropped (Vehtari, Gelman, Simpson, Carpenter and Bürkner 2021).
/// @return  [2 n_chains × ⌊n_draws/2⌋]
OwnedDraws split_chains(const ScalarDraws& draws);
/// The same into the caller's memory [2 n_chains ⌊n_draws/2⌋].
void split_chains(const ScalarDraws& draws, std::span<double> halves);

/// The autocovariance of chains, averaged over them, each about its own mean:
///
///     γ(t) = (1/M) Σ_m (1/n) Σ_{i=1}^{n−t} (x_mi − x̄_m)(x_m,i+t − x̄_m),   t = 0 … n − 1
///
/// Divided by n, not by n − t (Geyer 1992). The first lags, which suffice for chains that mix well,
/// are computed as direct sums. The first request for a later lag computes all others with one
/// Fourier transform per two chains, O(n log n). Memory is reused between calls: one object per
/// thread.
class MeanAutocovariance {
public:
    static constexpr std::size_t direct_lags = 32;

    MeanAutocovariance();
    ~MeanAutocovariance();
    MeanAutocovariance(MeanAutocovariance&&) noexcept;
    MeanAutocovariance& operator=(MeanAutocovariance&&) noexcept;

    /// Starts with these chains and copies their values: at least one chain of at least one draw,
    /// all finite.
    void begin(const ScalarDraws& chains);
    /// γ(lag), lag < n_draws.
    double operator()(std::size_t lag);
    std::span<const double> chain_means() const { return means_; }

private:
    struct Transform;

    void transform();

    std::size_t n_chains_ = 0, n_draws_ = 0;
    std::vector<double> centred_{}, means_{}, known_{};   ///< known_: γ(0), γ(1), … computed so far
    std::unique_ptr<Transform> transform_;
};

/// ρ(t) = γ(t)/γ(0) of one chain.
struct Autocorrelation {
    std::vector<double> rho{};   ///< lags 0 … max_lag, ρ(0) = 1; empty if undefined
    std::string why_not{};
};

/// For each chain separately, up to `max_lag` or the last lag of the chain. Chains are not split.
std::vector<Autocorrelation> autocorrelations(const ScalarDraws& draws, std::size_t max_lag);

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
///     ESS = S/τ,   τ = max(−1 + 2 Σ_{k<K} P_k + ρ(2K), 1/log10 S),
///     ρ(t) = 1 − (W − γ(t))/var⁺,   var⁺ = (n − 1)/n W + B/n
///
/// P_k = ρ(2k) + ρ(2k + 1), ρ(0) = 1, while positive, and each at most the previous one: Geyer's
/// initial monotone positive sequence (Geyer 1992). K is the first k with P_k not positive. The
/// term of its even lag reduces the scatter for antithetic chains; it is left out if ρ(2K) and P_K
/// are negative. The last lags, with few products each, are excluded as in the authors' program: all
/// k except 0 have 2k < n − 5. For n <= 5 that program returns S/2 for any draws; here P_0 counts.
/// Source: Vehtari, Gelman, Simpson, Carpenter and Bürkner 2021; R package posterior.
/// @param work  memory reused between calls
DiagnosticValue ess_of_chains(const ScalarDraws& chains, MeanAutocovariance& work);

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

/// The estimated Bayesian fraction of missing information of one chain, from the energies E_t
/// (potential plus kinetic, in nats) of its transitions:
///
///     E-BFMI = Σ_{t>=2} (E_t − E_{t−1})² / Σ_t (E_t − Ē)²
///
/// Near 1 if each new momentum can bring the chain to any energy; small, below about 0.3, if it
/// explores energies slowly; near 2 for independent energies. Chains are not split. Undefined for
/// fewer than four energies, equal energies or energies that are not finite. Source: Betancourt
/// 2016.
DiagnosticValue e_bfmi(std::span<const double> energies);
/// For each chain separately [n_chains].
std::vector<DiagnosticValue> e_bfmi(const ScalarDraws& energies);

}   // namespace credence
