// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "prediction/monte_carlo_error.h"
#include "runs/experiment.h"

#include <optional>
#include <string>
#include <vector>

namespace credence {

/// The largest Monte Carlo standard errors that count as small enough.
inline constexpr double enough_nll_error   = 0.01;   ///< nats per row
inline constexpr double enough_share_error = 0.02;   ///< of an interval end, as a share of the interval's width

/// The scores of the first S samples, for increasing S, and the interval for one input.
struct EnoughSamples {
    std::vector<AtSamples> nll{};              ///< nats per row
    std::vector<AtSamples> rmse{};             ///< of a numeric target; empty: classes
    std::vector<AtSamples> lower{}, upper{};   ///< ends of the interval of the selected input
    std::string input{};                       ///< "test row 3"
    std::string interval{};                    ///< "95 % predictive interval"
    std::string quantity = "y", unit{};        ///< of the interval and of the RMSE
    double width() const { return upper.back().value - lower.back().value; }
};

/// The smallest number of samples, at least 10, with which NLL and interval ends are accurate enough, by error ∝ 1/√S
/// from the errors of all samples. Empty: one of them is not finite.
std::optional<long> suggested_samples(const EnoughSamples& scores);

/// "About 120 samples are enough; this run uses 200." or "About 1,300 samples are needed, more than the 200 of this
/// run." The number is rounded up to two digits.
std::string sentence_of_suggestion(const EnoughSamples& scores);

Chart to_chart(const EnoughSamples& scores);

/// The first `n` samples of predictions along their chains; independent unless the posterior is a set of several draws
/// per chain.
SampleOrder order_of_samples(const RunSnapshot& run, int n);

}   // namespace credence
