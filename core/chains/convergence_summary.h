// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/convergence.h"
#include "foundation/function_ref.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace credence {

/// Draws of many quantities of the same chains, e.g. outputs at probe points. They are asked for one quantity at a time, from several threads at once.
struct ManyDraws {
    std::size_t n_quantities = 0, n_chains = 0, n_draws = 0;
    /// Writes the draws of quantity q [n_chains × n_draws], chain by chain. Borrowed.
    function_ref<void(std::size_t q, std::span<double> draws)> write;
};

struct SummaryOptions {
    double threshold   = 1.01;   ///< R̂ below it counts as agreement
    int shuffles       = 1;      ///< how often the draws are dealt anew for `floor_share`; 0: not at all
    std::uint64_t seed = 0;      ///< of the shuffles
};

/// The convergence of many quantities in one look.
struct ConvergenceSummary {
    std::vector<Convergence> quantities{};

    /// Quantities with R̂ and those whose chains stand still at places of their own, R̂ without bound. Constants and draws that are not finite are not among them.
    std::size_t n_judged = 0;
    std::optional<double>
        share_below{};   ///< of the judged ones, those with R̂ below the threshold; empty if there are none
    /// What this share would be if the chains agreed and each draw were independent of the last: the same draws, dealt to chains and places in random order, the
    /// same order for all quantities; mean over the shuffles. With few draws it lies below 1: R̂ scatters, too.
    std::optional<double> floor_share{};

    // The lowest index where several are equal; empty if it is defined for no quantity.
    std::optional<std::size_t>
        worst_r_hat{};   ///< the quantity with the largest R̂, one without bound before all others
    std::optional<std::size_t> smallest_bulk_ess{};   ///< the quantity
    std::optional<std::size_t> smallest_tail_ess{};   ///< the quantity
};

/// Runs over the quantities in parallel; the same bits for any number of threads. Empty: stopped.
/// @throws Error if the threshold is not above 1 or a number of shuffles is negative
std::optional<ConvergenceSummary> convergence_summary(const ManyDraws& draws, const SummaryOptions& options = {},
                                                      std::stop_token stop = {});

}   // namespace credence
