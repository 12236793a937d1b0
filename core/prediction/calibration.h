// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace credence {

/// Predictions with confidence in (lower, upper].
struct ReliabilityBin {
    double lower = 0, upper = 0;
    long count            = 0;
    long correct          = 0;
    double confidence_sum = 0;

    double accuracy() const { return static_cast<double>(correct) / static_cast<double>(count); }   ///< count > 0
    double mean_confidence() const { return confidence_sum / static_cast<double>(count); }          ///< count > 0
};

/// Bins ((b − 1)/n, b/n] of confidence, b = 1..n; a confidence of 0 is in the first bin, and a
/// confidence within equal_shares (credible.h) of an edge counts as equal to it.
/// @param confidence  in [0, 1] [N]; @throws Error if one is not finite
/// @param correct     1 where the prediction is right [N]
std::vector<ReliabilityBin> reliability_bins(std::span<const double> confidence, std::span<const char> correct,
                                             int n_bins = 15);

/// The index of the bin that a confidence belongs to.
std::size_t reliability_bin(std::span<const ReliabilityBin> bins, double confidence);

/// ECE = Σ_b (n_b/N) |accuracy_b − mean confidence_b| (Guo et al. 2017). @throws Error if all bins
/// are empty
double expected_calibration_error(std::span<const ReliabilityBin> bins);

/// ECE with n_bins groups of consecutive confidences whose sizes differ by at most one. Rows of
/// equal confidence that a boundary divides are divided in equal parts, so the order of the data
/// has no effect. Source: Nixon et al. 2019 (adaptive calibration error, of the predicted class).
/// @throws Error if there are no predictions
double adaptive_calibration_error(std::span<const double> confidence, std::span<const char> correct, int n_bins = 15);

/// Mean over the classes k of Σ_b (n_b/N) |share of class k in b − mean p_k in b|, with the bins of
/// reliability_bins over p_k. Source: Kull et al. 2019.
/// @param p  [N × K]; @param labels  [N], 0 … K − 1
double classwise_calibration_error(std::span<const double> p, std::span<const int> labels, int n_bins = 15);

/// Mean loss of the k most certain rows for k = 1 … N (selective risk) [N]. Equally uncertain rows
/// enter in equal parts.
/// @throws Error if an uncertainty is NaN or the numbers of rows differ
std::vector<double> selective_risk(std::span<const double> uncertainty, std::span<const double> loss);

/// AURC = (1/N) Σ_k risk_k, the area under the risk as a function of the coverage k/N (Geifman,
/// Uziel and El-Yaniv 2019).
double area_under_risk(std::span<const double> risk);

/// Error on the remaining inputs when the most uncertain ones are rejected.
struct RejectionPoint {
    double rejected = 0;   ///< share of rejected inputs
    double error    = 0;   ///< error rate of the remaining inputs
};
/// One point per number of remaining inputs, N down to 1, rejecting in the order of decreasing
/// uncertainty. Equally uncertain inputs are
/// rejected in equal parts: the error between two levels is that of the mixture, so the order of
/// the data has no effect.
/// @throws Error if an uncertainty is NaN
std::vector<RejectionPoint> rejection_curve(std::span<const double> uncertainty, std::span<const char> correct);

/// The smallest range [low, high] of counts such that K ~ Binomial(n, p) is below it with probability
/// <= outside/2, and above it with probability <= outside/2.
/// @param p  in (0, 1); @param outside  in (0, 1)
std::pair<long, long> binomial_range(long n, double p, double outside);

/// Counts of n numbers in equal bins of [0, 1], with a simultaneous range for the counts of
/// independent uniform numbers: by the Bonferroni inequality, the probability that some bin is
/// outside the range is at most 5 %.
struct UniformHistogram {
    std::vector<long> counts{};
    long n = 0, low = 0, high = 0;

    long outside() const;   ///< number of bins outside the range
};
/// Bin b is [b/B, (b + 1)/B), the last one closed.
std::size_t uniform_bin(double u, std::size_t n_bins);
/// @throws Error if a number is not in [0, 1]
UniformHistogram uniform_histogram(std::span<const double> u, int n_bins);
/// B = 5, 10 or 20: at least 10 expected numbers in a bin if n >= 50.
int histogram_bins(long n);

/// Share of rows inside their central prediction interval at each level, from their PIT values: row
/// i is inside at level c if |2 u_i − 1| <= c. The range is simultaneous over the levels, as in
/// UniformHistogram.
struct CoverageCurve {
    std::vector<double> level{};            ///< 5 %, 10 %, …, 95 %
    std::vector<double> coverage{};         ///< at each level
    std::vector<double> lower{}, upper{};   ///< range of the coverage of calibrated predictions
    long n          = 0;
    double mean_gap = 0;   ///< ∫ |coverage(c) − c| dc over [0, 1], exactly: 0 to ½

    long outside() const;   ///< number of levels at which the coverage is outside the range
};
CoverageCurve coverage_curve(std::span<const double> u);

/// Isotonic regression: the rising step function m of x that minimises Σ (y_i − m(x_i))², by the
/// pool-adjacent-violators algorithm.
class IsotonicFit {
public:
    /// Rows with lower <= x <= upper have the same fitted value.
    struct Block {
        double lower = 0, upper = 0;
        double value = 0;   ///< mean of y over the rows
        long count   = 0;
    };

    /// @param x, y  [N], in any order; rows of equal x share one value. @throws Error if the numbers
    ///              differ, or one is not finite
    IsotonicFit(std::span<const double> x, std::span<const double> y);

    const std::vector<Block>& blocks() const { return blocks_; }   ///< rising in x and in value
    /// Between two blocks linear in x, outside all blocks constant.
    double at(double x) const;

private:
    std::vector<Block> blocks_;
};

/// Reliability of probabilities p of binary events without bins (CORP: consistent, optimally binned,
/// reproducible, by PAVA), with the decomposition of the Brier score of these events:
///     mean (p − y)² = miscalibration − discrimination + uncertainty
/// Source: Dimitriadis, Gneiting and Jordan 2021.
struct CorpReliability {
    std::vector<IsotonicFit::Block> blocks{};   ///< event frequency by probability
    double miscalibration = 0;                  ///< mean (p − y)² − mean (m(p) − y)², >= 0
    double discrimination = 0;                  ///< ȳ (1 − ȳ) − mean (m(p) − y)², >= 0
    double uncertainty    = 0;                  ///< ȳ (1 − ȳ)
    /// The range of m(p) under calibrated probabilities: pointwise central intervals of refits to
    /// events that are drawn from p.
    struct ConsistencyBand {
        std::vector<double> p{}, lower{}, upper{};   ///< p rising, at observed probabilities
        double level  = 0.95;
        int resamples = 0;
    } band{};
};

/// @param p      probability of each event, in [0, 1] [N], N > 0
/// @param event  1 if it occurred [N]
/// @param seed   of the resampled events; the same for any number of threads
CorpReliability corp_reliability(std::span<const double> p, std::span<const char> event, std::uint64_t seed,
                                 double level = 0.95, int resamples = 400);

}   // namespace credence
