// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/chain_diagnostics.h"
#include "chains/scalar_draws.h"
#include "foundation/function_ref.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
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
    /// quantile is between this draw and the next, so x <= quantile is equivalent to x <= this
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

/// Diagnostics of the agreement of chains on one scalar quantity, and of their number of
/// independent draws. All use split chains and follow Vehtari, Gelman, Simpson, Carpenter and
/// Bürkner 2021.
struct Convergence {
    /// The larger of R̂ of z, sensitive to location, and R̂ of z of |x − median|, sensitive to
    /// scale. The authors recommend R̂ < 1.01.
    /// If all draws have the same distance from the median, as for a fair coin, there is no scale
    /// to compare: R̂ of z alone.
    DiagnosticValue r_hat;
    DiagnosticValue plain_r_hat;   ///< R̂ of the draws themselves: means little if their variance
                                   ///< is infinite
    DiagnosticValue bulk_ess;      ///< ESS of z
    /// The smaller of the ESS of 1{x <= q_5} and of 1{x <= q_95}; only one of them if no draw is
    /// beyond the other quantile.
    DiagnosticValue tail_ess;
    /// The probability of chains at least as different if all sample one distribution, given their
    /// own autocorrelation: twice the smaller of probability_of_chain_means of z and of z of |x −
    /// median|. 0 if chains are stuck at different values. Undefined if the chains are too short to
    /// tell.
    DiagnosticValue agreement;
};

/// Computes the convergence of quantities of one shape in sequence; tables and memory are reused.
/// One object per thread.
class ConvergenceOfDraws {
public:
    /// @param scores  of the 2 n_chains ⌊n_draws/2⌋ draws that splitting keeps; shared, or computed
    /// here if null
    ConvergenceOfDraws(std::size_t n_chains, std::size_t n_draws, std::shared_ptr<const NormalScores> scores = {});

    /// @param draws  [n_chains × n_draws]
    Convergence operator()(std::span<const double> draws);

private:
    ScalarDraws halves(std::span<const double> values) const { return {values, 2 * n_chains_, n_draws_ / 2}; }
    DiagnosticValue r_hat(std::span<const double> z, std::span<const double> folded_z) const;
    DiagnosticValue tail_ess(const std::vector<double>& kept);
    DiagnosticValue agreement();

    std::size_t n_chains_, n_draws_;
    std::shared_ptr<const NormalScores> scores_;
    SortedDraws sorted_{};
    MeanAutocovariance gamma_{};
    std::vector<std::uint32_t> twice_ranks_{};
    std::vector<double> kept_{}, z_{}, folded_z_{}, work_{};
};

/// The number of draws that splitting the chains keeps.
inline std::size_t n_kept(std::size_t n_chains, std::size_t n_draws) { return 2 * n_chains * (n_draws / 2); }

/// The convergence of one quantity.
Convergence convergence(const ScalarDraws& draws);

/// Draws of many quantities of the same chains, e.g. outputs at probe points. They are read one
/// quantity at a time, from several threads.
struct ManyDraws {
    std::size_t n_quantities = 0, n_chains = 0, n_draws = 0;
    /// Writes the draws of quantity q [n_chains × n_draws], chain by chain. Borrowed.
    function_ref<void(std::size_t q, std::span<double> draws)> write;
};

struct SummaryOptions {
    double threshold = 1.01;   ///< R̂ below it counts as agreement
};

/// The convergence of many quantities at once.
struct ConvergenceSummary {
    std::vector<Convergence> quantities{};

    /// Quantities with R̂, and those whose chains are stuck at different values, with unbounded R̂.
    /// Constants and draws that are not finite are not included.
    std::size_t n_judged = 0;
    std::optional<double> share_below{};   ///< share of the judged quantities with R̂ below the threshold; empty if
                                           ///< there are none
    /// The probability that some quantity has chains at least as different as those of the worst
    /// one, if all chains sample one distribution. It is the smallest Convergence::agreement times
    /// the number of defined ones (Bonferroni), at most 1. Empty if it is defined for fewer than half
    /// of the judged quantities, since these are the ones whose autocorrelation time happened to be
    /// short. R̂ is read together with this probability: for short and slow chains it exceeds 1.01
    /// even if they agree.
    std::optional<double> agreement{};

    // The lowest index on ties; empty if undefined for all quantities.
    std::optional<std::size_t> worst_r_hat{};         ///< the quantity with the largest R̂; unbounded R̂ comes first
    std::optional<std::size_t> smallest_bulk_ess{};   ///< the quantity
    std::optional<std::size_t> smallest_tail_ess{};   ///< the quantity
};

/// Processes the quantities in parallel; the same bits for any number of threads. Empty: stopped.
/// @throws Error if the threshold is not above 1
std::optional<ConvergenceSummary> convergence_summary(const ManyDraws& draws, const SummaryOptions& options = {},
                                                      std::stop_token stop = {});

/// Mean and standard deviation of one quantity with their Monte Carlo standard errors, in the
/// quantity's unit. Computed from the draws that splitting the chains keeps.
struct MonteCarloErrors {
    DiagnosticValue mean, sd;   ///< the estimates, sd with S − 1
    DiagnosticValue mean_ess;   ///< ESS of the draws themselves
    DiagnosticValue of_mean;    ///< sd/√ESS
    /// √((m_4 − m_2²)/ESS')/(2 √m_2), m_k the k-th central moment, ESS' that of (x − x̄)²: the
    /// error of the mean of (x − x̄)², propagated through the square root to first order, without
    /// assuming a normal distribution. Undefined if all draws have the same distance from the mean.
    DiagnosticValue of_sd;
};
/// Source: Vehtari, Gelman, Simpson, Carpenter and Bürkner 2021.
MonteCarloErrors monte_carlo_errors(const ScalarDraws& draws);

}   // namespace credence
