// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/noise_distribution.h"

#include <optional>
#include <span>
#include <vector>

namespace credence {

/// The order of samples for batch means, and the length of the batches. Independent samples: any order, length 1.
/// Samples of chains: along the chains, batches of about √S, so that correlated samples are in one batch.
struct SampleOrder {
    std::vector<int> order{};   ///< a permutation of all samples; empty: as they are
    bool independent = true;
};

/// The standard error of the mean of values that belong to the first S samples:
///
///     SE² = Σ_b (m_b − m̄)² / (B (B − 1)),   m_b the mean of batch b, m̄ their mean
///
/// with B = S batches of one sample each if they are independent, otherwise B = ⌊√S⌋ batches of consecutive samples.
/// @param values  [S], S >= 2, in the order in which they were drawn
/// Source: Flegal, Haran and Jones 2008 (batch means)
double standard_error(std::span<const double> values, const SampleOrder& samples);

/// A number computed from the first `samples` samples, and its Monte Carlo standard error.
struct AtSamples {
    int samples  = 0;
    double value = 0, error = 0;
};

/// Numbers of samples from `first` to `last`, evenly spaced on a log scale, both included.
std::vector<int> sample_counts(int first, int last, int most = 16);

/// Mean scores over rows from prefixes of one set of samples, with their Monte Carlo errors by the delta method:
/// each score is a smooth function of means over the samples, and its error is that of the mean of its influences.
///
///     NLL(S) = −1/N Σ_i ln m_i,  m_i = 1/S Σ_s p_is;   influence of sample s: −1/N Σ_i p_is / m_i
///     RMSE(S) = √(1/N Σ_i r_i²), r_i = 1/S Σ_s f_is − y_i;   influence: 1/(N RMSE) Σ_i r_i f_is
///
/// Source: docs/maths.md, section 8
class ScoresOverSamples {
public:
    /// @param counts  numbers of samples, rising, each >= 2
    ScoresOverSamples(std::vector<int> counts, SampleOrder samples);

    /// Adds a row. @param log_densities  ln p(y_i | sample s), nats [last count]
    void add_log_densities(std::span<const double> log_densities);
    /// Adds a row of a regression. @param f  [last count]
    void add_means(std::span<const double> f, double target);

    std::vector<AtSamples> nll() const;    ///< nats per row
    std::vector<AtSamples> rmse() const;   ///< units of the target

private:
    struct Sums {
        double value = 0;
        std::vector<double> influence;   // [count]
    };
    std::vector<int> counts_;
    SampleOrder samples_;
    std::vector<Sums> nll_, rmse_;
    long nll_rows_ = 0, rmse_rows_ = 0;
};

/// The end of a predictive interval: the p-quantile of the mixture of the first S samples. Its error is that of the
/// mean of F_s(q), divided by the density of the mixture at q.
/// @param f, s  of each sample [last count]
std::vector<AtSamples> mixture_quantile_over(std::span<const int> counts, const NoiseDistribution& noise,
                                             std::span<const double> f, std::span<const double> s, double p,
                                             const SampleOrder& samples);
/// The p-quantile (type 7) of the first S values. Its error is half the distance between the quantiles at p ± e,
/// where e is the standard error of the share of values at or below it, at least √(p (1 − p)/S) (Woodruff 1952).
std::vector<AtSamples> quantile_over(std::span<const int> counts, std::span<const double> values, double p,
                                     const SampleOrder& samples);

/// The number of samples at which the error would be `tolerance`, by error ∝ 1/√S, rounded up. Empty: the error is
/// not finite, or the tolerance not positive.
std::optional<long> samples_needed(const AtSamples& at, double tolerance);

}   // namespace credence
