// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace credence {

/// Predictions whose confidence lies in (lower, upper].
struct ReliabilityBin {
    double lower = 0, upper = 0;
    long count            = 0;
    long correct          = 0;
    double confidence_sum = 0;

    double accuracy() const { return static_cast<double>(correct) / static_cast<double>(count); }   ///< count > 0
    double mean_confidence() const { return confidence_sum / static_cast<double>(count); }          ///< count > 0
};

/// Bins ((b − 1)/n, b/n] of confidence, b = 1..n; a confidence of 0 counts in the first, and one within equal_shares (credible.h) of an edge as equal to it.
/// @param confidence  in [0, 1] [N]; @throws Error if one is not finite
/// @param correct     1 where the prediction is right [N]
std::vector<ReliabilityBin> reliability_bins(std::span<const double> confidence, std::span<const char> correct,
                                             int n_bins = 15);

/// ECE = Σ_b (n_b/N) |accuracy_b − mean confidence_b| (Guo et al. 2017). @throws Error if all bins are empty
double expected_calibration_error(std::span<const ReliabilityBin> bins);

/// What remains when the most uncertain inputs are handed to somebody else.
struct RejectionPoint {
    double rejected = 0;   ///< share of inputs refused
    double error    = 0;   ///< share wrong among those kept
};
/// One point for each number of inputs kept, N down to 1, refusing in the order of falling uncertainty. Inputs that are equally uncertain are
/// refused in equal parts: the error between two levels is that of the mixture, so the order of the data plays no part.
/// @throws Error if an uncertainty is NaN
std::vector<RejectionPoint> rejection_curve(std::span<const double> uncertainty, std::span<const char> correct);

}   // namespace credence
