// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "prediction/set_predictions.h"

namespace credence {

/// Correct/wrong × certain/uncertain by both criteria at several levels (Posch and Pilz 2021, Table
/// III).
struct CertaintyTable {
    struct Row {
        int criterion = 1;   ///< 1: (i) no overlap; 2: (ii) posterior probability
        double level  = 0.95;
        CertaintyCounts counts;
    };
    long n = 0, n_samples = 0;
    std::vector<Row> rows;
};

inline constexpr double published_levels[] = {0.95, 0.99, 0.99999};   ///< Posch and Pilz 2021, Table III

/// @param probabilities  of the labelled inputs [S × N × K]
CertaintyTable certainty_table(const SampleView<float>& probabilities, std::span<const int> labels,
                               std::span<const double> levels = published_levels);
/// The same for predictions without stored samples, at the levels they were computed for, rising.
CertaintyTable certainty_table(const SetPredictions& predictions, std::span<const int> labels);
Chart to_chart(const CertaintyTable& table);

}   // namespace credence
