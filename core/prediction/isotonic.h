// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace credence {

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
