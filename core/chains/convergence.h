// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/rank_normalised.h"
#include "chains/split_chains.h"

#include <memory>
#include <optional>

namespace credence {

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

/// The number of kept draws: those of the split chains.
inline std::size_t n_kept(std::size_t n_chains, std::size_t n_draws) { return 2 * n_chains * (n_draws / 2); }

/// The convergence of one quantity.
Convergence convergence(const ScalarDraws& draws);

}   // namespace credence
