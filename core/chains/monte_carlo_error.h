// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/split_chains.h"

namespace credence {

/// Mean and standard deviation of one quantity, and how far chance alone may have moved them:
/// standard deviations of the estimates, in the quantity's unit. Of the draws that splitting the
/// chains keeps.
struct MonteCarloErrors {
    DiagnosticValue mean, sd;   ///< the estimates, sd with S − 1
    DiagnosticValue mean_ess;   ///< ESS of the draws as they are
    DiagnosticValue of_mean;    ///< sd/√ESS
    /// √((m_4 − m_2²)/ESS')/(2 √m_2), m_k the k-th central moment, ESS' that of (x − x̄)²: the
    /// error of the mean of (x − x̄)² brought through the square root, to first order; no normal
    /// distribution is taken for granted. Not defined where all draws lie at one distance from the
    /// mean.
    DiagnosticValue of_sd;
};
/// Source: Vehtari, Gelman, Simpson, Carpenter and Bürkner 2021.
MonteCarloErrors monte_carlo_errors(const ScalarDraws& draws);

/// Monte Carlo standard error of the quantile at p: with ESS that of 1{x <= quantile}, a and b the
/// quantiles of Beta(ESS p + 1, ESS (1 − p) + 1) at Φ(−1) and Φ(1),
///
///     (x_(⌈S b⌉) − x_(⌊S a⌋))/2,   x_(1) … x_(S) in ascending order
///
/// Not defined where no draw lies above the quantile. Source: Vehtari, Gelman, Simpson, Carpenter
/// and Bürkner 2021.
/// @param p       in (0, 1)
/// @throws Error  "Error of a quantile: the share is 1, expected a number between 0 and 1."
DiagnosticValue quantile_error(const ScalarDraws& draws, double p);

}   // namespace credence
