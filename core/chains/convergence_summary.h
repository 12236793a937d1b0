// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/convergence.h"
#include "foundation/function_ref.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace credence {

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
    /// The probability that any of the quantities has chains at least as different as the worst
    /// one's if all chains sample one distribution: the smallest Convergence::agreement times the
    /// number of defined ones (Bonferroni), at most 1. Empty: defined for fewer than half of the
    /// judged quantities, those whose autocorrelation time happened to be short. R̂ is compared
    /// with this probability, since R̂ of short and slow chains exceeds 1.01 even if they agree.
    std::optional<double> agreement{};
    std::size_t n_too_short = 0;   ///< judged quantities whose chains are too short to tell whether
                                   ///< they agree

    // The lowest index on ties; empty if undefined for all quantities.
    std::optional<std::size_t> worst_r_hat{};         ///< the quantity with the largest R̂; unbounded R̂ comes first
    std::optional<std::size_t> smallest_bulk_ess{};   ///< the quantity
    std::optional<std::size_t> smallest_tail_ess{};   ///< the quantity
};

/// Processes the quantities in parallel; the same bits for any number of threads. Empty: stopped.
/// @throws Error if the threshold is not above 1
std::optional<ConvergenceSummary> convergence_summary(const ManyDraws& draws, const SummaryOptions& options = {},
                                                      std::stop_token stop = {});

}   // namespace credence
