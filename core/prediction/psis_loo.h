// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace credence {

/// A generalised Pareto distribution of exceedances, P(X > x) = (1 + k x/σ)^(−1/k).
struct ParetoFit {
    double k     = 0;   ///< shape; 1/k is the number of finite moments
    double sigma = 0;   ///< scale
    /// σ ((1 − p)^(−k) − 1)/k
    double quantile(double p) const;
};
/// The empirical Bayes fit of Zhang and Stephens 2009. Its k is drawn towards 0.5 with the weight of
/// ten observations, k ← (n k + 5)/(n + 10), as in Vehtari et al. 2024, appendix C.
/// @param sorted  exceedances, ascending, at least 0, the largest above 0 [n], n >= 5
ParetoFit fit_generalised_pareto(std::span<const double> sorted);

/// Pareto smoothed importance weights.
struct SmoothedWeights {
    std::vector<double> log;   ///< normalised: Σ exp = 1 [S]
    /// Estimated shape of the tail of the raw weights. Over 0.7 the weights are unreliable. 0 if the
    /// largest weights are equal, infinite with too few samples for a fit (S < 25).
    double pareto_k = 0;
};
/// Number of largest weights that are smoothed: ⌈min(S/5, 3√S)⌉.
int pareto_tail(int n_samples);
/// Replaces the largest weights by quantiles (j − ½)/M of a generalised Pareto distribution fitted to
/// them, at most the largest raw weight.
/// @param log_ratios  ln of the unnormalised weights, finite [S]
/// Source: Vehtari, Gelman and Gabry 2017; Vehtari et al. 2024 (arXiv:1507.02646)
SmoothedWeights pareto_smoothed(std::span<const double> log_ratios);

/// The largest k at which S samples suffice: min(1 − 1/log10 S, 0.7) (Vehtari et al. 2024, section 3).
double reliable_pareto_k(int n_samples);

/// The leave-one-out predictive density of one training row.
struct LooRow {
    double elpd     = 0;   ///< ln p(y_i | all other rows), nats
    double lpd      = 0;   ///< ln p(y_i | all rows), nats: (1/S) Σ_s p(y_i | w_s)
    double pareto_k = 0;
};
///     elpd_i = ln Σ_s ω_s p(y_i | w_s),   ω ∝ smoothed 1/p(y_i | w_s)
///
/// @param log_likelihood  ln p(y_i | w_s), nats, finite [S]
LooRow psis_loo(std::span<const double> log_likelihood);

/// Sums over rows, nats.
struct LooSummary {
    double elpd = 0, standard_error = 0;   ///< Σ elpd_i; √(n Var elpd_i), divisor n − 1
    double p_loo   = 0;                    ///< Σ (lpd_i − elpd_i): effective number of parameters
    int over_limit = 0;                    ///< rows with k > 0.7
};
LooSummary loo_summary(std::span<const LooRow> rows);

}   // namespace credence
