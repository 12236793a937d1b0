// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/calibration.h"

#include "foundation/error.h"
#include "foundation/statistics.h"
#include "prediction/credible.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace credence {

std::vector<ReliabilityBin> reliability_bins(std::span<const double> confidence, std::span<const char> correct,
                                             int n_bins)
{
    if (confidence.size() != correct.size())
        throw Error("Reliability bins: " + std::to_string(confidence.size()) + " confidences for "
                    + std::to_string(correct.size()) + " predictions.");
    if (n_bins < 1)
        throw Error("Reliability bins: " + std::to_string(n_bins) + " bins, expected at least 1.");
    require_finite("Reliability bins: confidence", confidence);
    std::vector<ReliabilityBin> bins(n_bins);
    for (int b = 0; b < n_bins; ++b) {
        bins[b].lower = static_cast<double>(b) / n_bins;
        bins[b].upper = static_cast<double>(b + 1) / n_bins;
    }
    for (std::size_t i = 0; i < confidence.size(); ++i) {
        // Compared with the bounds themselves, since n·c may be rounded across one.
        const auto bin = std::lower_bound(bins.begin(), bins.end() - 1, confidence[i],
                                          [](const ReliabilityBin& b, double c) { return b.upper + equal_shares < c; });
        ++bin->count;
        bin->correct += correct[i] ? 1 : 0;
        bin->confidence_sum += confidence[i];
    }
    return bins;
}

double expected_calibration_error(std::span<const ReliabilityBin> bins)
{
    double gap = 0;
    long n     = 0;
    for (const auto& bin : bins) {
        gap += std::fabs(static_cast<double>(bin.correct)
                         - bin.confidence_sum);   // n_b |accuracy_b − mean confidence_b|
        n += bin.count;
    }
    if (n == 0)
        throw Error("Calibration error: there are no predictions.");
    return gap / static_cast<double>(n);
}

std::vector<RejectionPoint> rejection_curve(std::span<const double> uncertainty, std::span<const char> correct)
{
    if (uncertainty.size() != correct.size())
        throw Error("Rejection curve: " + std::to_string(uncertainty.size()) + " uncertainties for "
                    + std::to_string(correct.size()) + " predictions.");
    require_no_nan("Rejection curve: uncertainty", uncertainty);
    const std::size_t n = uncertainty.size();
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return uncertainty[a] < uncertainty[b]; });   // most certain first

    std::vector<RejectionPoint> points;
    double wrong_below = 0;   // errors in the levels that are kept completely
    for (std::size_t i = 0; i < n;) {
        std::size_t end = i;
        double wrong    = 0;
        for (; end < n && uncertainty[order[end]] == uncertainty[order[i]]; ++end)
            wrong += correct[order[end]] ? 0 : 1;
        for (std::size_t kept = i + 1; kept <= end; ++kept) {
            const double share = static_cast<double>(kept - i) / static_cast<double>(end - i);
            points.push_back({1 - static_cast<double>(kept) / static_cast<double>(n),
                              (wrong_below + share * wrong) / static_cast<double>(kept)});
        }
        wrong_below += wrong;
        i = end;
    }
    std::reverse(points.begin(), points.end());
    return points;
}

}   // namespace credence
