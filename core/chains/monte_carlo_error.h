// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/split_chains.h"

namespace credence {

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

/// Monte Carlo standard error of the quantile at p: with ESS that of 1{x <= quantile}, a and b the
/// quantiles of Beta(ESS p + 1, ESS (1 − p) + 1) at Φ(−1) and Φ(1),
///
///     (x_(⌈S b⌉) − x_(⌊S a⌋))/2,   x_(1) … x_(S) in ascending order
///
/// Undefined if no draw is above the quantile. Source: Vehtari, Gelman, Simpson, Carpenter and
/// Bürkner 2021.
/// @param p       in (0, 1)
/// @throws Error  "Error of a quantile: the share is 1, expected a number between 0 and 1."
DiagnosticValue quantile_error(const ScalarDraws& draws, double p);

}   // namespace credence
