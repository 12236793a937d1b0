// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "prediction/class_predictions.h"

namespace credence {

/// Counts of true against predicted class.
struct Confusion {
    std::vector<std::string> class_names;   ///< [K]
    std::vector<long> counts;               ///< [K × K], rows are true classes
    long n = 0;

    long at(std::size_t truth, std::size_t predicted) const { return counts[truth * class_names.size() + predicted]; }
};
Confusion confusion(const ClassPredictions& predictions, std::span<const int> labels,
                    const std::vector<std::string>& class_names);
Chart to_chart(const Confusion& confusion);

}   // namespace credence
