// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/diagnostic_value.h"
#include "chains/scalar_draws.h"

#include <cstdint>
#include <string>
#include <vector>

namespace credence {

/// The normal score of each rank among S draws (Blom's offset; Vehtari, Gelman, Simpson, Carpenter
/// and Bürkner 2021):
///
///     z = Φ⁻¹((r − 3/8)/(S + 1/4)),   r = 1 … S in steps of ½: ties have their mean rank
///
/// Computed once, since they depend on S alone.
class NormalScores {
public:
    explicit NormalScores(std::size_t n_draws);

    std::size_t n_draws() const { return (z_.size() + 1) / 2; }
    double of_twice_rank(std::uint32_t twice) const { return z_[twice - 2]; }   ///< 2 <= twice <= 2 S

private:
    std::vector<double> z_{};   ///< [2 S − 1]: ranks 1, 1.5, 2, …
};

/// Finite draws in ascending order with their original positions: one sort provides ranks, ranks of
/// the distances from the median, and quantiles.
class SortedDraws {
public:
    SortedDraws() = default;
    explicit SortedDraws(std::span<const double> draws) { sort(draws); }
    void sort(std::span<const double> draws);   ///< reuses its memory. At least one draw, fewer than 2^31.

    std::size_t size() const { return sorted_.size(); }
    double at(std::size_t k) const { return sorted_[k].value; }   ///< the k-th smallest, from 0
    double median() const;

    /// The largest draw that is at most the quantile of type 7 at p (Hyndman and Fan 1996). The
    /// quantile lies between this draw and the next, so x <= quantile is equivalent to x <= this
    /// draw.
    double not_above_quantile(double p) const;

    /// Twice the rank of each draw, in the original order: a whole number from 2 to 2 S, since ties
    /// have their mean rank.
    void twice_ranks(std::span<std::uint32_t> out) const;
    /// The same for |x − median|: merges the sorted values below and above the median, without
    /// sorting again.
    void twice_folded_ranks(std::span<std::uint32_t> out);

private:
    struct Draw {
        double value     = 0;
        std::uint32_t at = 0;
    };
    static void rank(std::span<const Draw> sorted, std::span<std::uint32_t> out);

    std::vector<Draw> sorted_{}, folded_{};
};

/// Ranks r from 1, ties with their mean rank [S].
std::vector<double> average_ranks(std::span<const double> draws);
/// z of each draw [S].
std::vector<double> rank_normalised(std::span<const double> draws);

/// The distribution within each chain of the ranks over all chains (rank plot): alike in all chains
/// if they sample one distribution.
/// Source: Vehtari, Gelman, Simpson, Carpenter and Bürkner 2021.
struct RankHistogram {
    std::size_t n_chains = 0, n_bins = 0;
    std::vector<std::size_t>
        counts{};   ///< [n_chains × n_bins]; rank r of S is in bin ⌊(r − ½) B/S⌋, so that ties share one bin
    double expected = 0;     ///< count in each bin if all chains sample one distribution: n_draws / n_bins
    std::string why_not{};   ///< the reason, if there are no counts

    std::span<const std::size_t> of_chain(std::size_t c) const { return std::span(counts).subspan(c * n_bins, n_bins); }
};

/// @param n_bins  B >= 1
RankHistogram rank_histogram(const ScalarDraws& draws, std::size_t n_bins);

}   // namespace credence
