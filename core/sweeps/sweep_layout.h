// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/score_against_axis.h"
#include "sweeps/sweep_results.h"

#include <string>
#include <vector>

namespace credence {

/// The cells of a sweep as a picture along one axis has them.
struct SweepLayout {
    /// The cells of one combination of the other axes.
    struct Row {
        std::string name;   ///< labels of the other axes that have several values: "mean_field, 300"
        std::vector<std::vector<std::size_t>>
            cells;   ///< for each value of the axis indices of cells, one a seed [n][seeds]
    };
    SweptAxis axis;
    std::vector<Row> rows;   ///< in the order of the cells
};

/// @param axis  name of one of figure_axes; empty: the usual one
/// @throws Error "The sweep has no axis \"x\" to draw against, expected one of a, b." or that it moves nothing but the seed
SweepLayout layout_along(const SweepResults& results, const std::string& axis);

}   // namespace credence
