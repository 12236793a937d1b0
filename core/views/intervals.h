// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "prediction/posterior_predictive.h"

#include <optional>

namespace credence {

/// Credible intervals of the class probabilities at one input, and the verdicts of the two
/// criteria.
struct Intervals {
    double level  = 0.95;
    int n_samples = 0;
    std::vector<std::string> names;           ///< [K]
    std::vector<double> lower, mean, upper;   ///< [K]
    int predicted = 0;
    std::optional<int> true_class;
    bool disjoint = false;   ///< criterion (i)
    bool probable = false;   ///< criterion (ii)
};
Intervals intervals(const SampleView<float>& probabilities, int input, double level,
                    const std::vector<std::string>& class_names, std::optional<int> true_class = {});

/// "Certain by (i): the 95 % interval of 3 overlaps no other class's interval."
std::string verdict_by_overlap(const Intervals& intervals);
/// "Uncertain by (ii): its mean probability 0.61 is below 0.95."
std::string verdict_by_probability(const Intervals& intervals);
/// How both verdicts begin if the input is certain.
inline constexpr const char* certain_label = "Certain";
/// Both, one after the other.
std::string verdict(const Intervals& intervals);
Chart to_chart(const Intervals& intervals);

}   // namespace credence
