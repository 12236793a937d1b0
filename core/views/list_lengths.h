// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <optional>
#include <vector>

namespace credence {

/// List lengths of the uncertainty-aware top-k over a whole set (Hobbhahn 2020, Fig. 5.6).
struct ListLengths {
    std::vector<long> counts;   ///< lists of each length, 0 … longest; index 0 is unused
    double threshold = 0.05;
    int n_classes    = 0;
    std::optional<double> top_1, top_k;   ///< shares; empty without labels
    std::string rows;                     ///< "rows of the test set"
    int longest = 0;                      ///< maximum number of classes in a list; 0: no limit

    long total() const;
    double mean() const;
};

Chart to_chart(const ListLengths& figure);

}   // namespace credence
