// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/score_against_axis.h"
#include "sweeps/sweep_results.h"

#include <string>
#include <vector>

namespace credence {

/// The cells of a sweep arranged along one axis.
struct SweepLayout {
    /// The cells of one combination of the other axes.
    struct Row {
        std::string name;   ///< words_of_settings of the other axes
        std::vector<std::vector<std::size_t>>
            cells;   ///< cell indices for each value of the axis, one per seed [n][seeds]
    };
    SweptAxis axis;
    std::vector<Row> rows;   ///< in the order of the cells
};

/// Returns "mean_field, steps 300": labels of the axes with several values, except the seed and
/// `but`; numbers with the name of their setting.
/// @param at   index of the value on each axis
/// @param but  may be null
std::string words_of_settings(const Sweep& sweep, const std::vector<std::size_t>& at, const SweepAxis* but = nullptr);

/// @param axis  name of one of figure_axes; empty: the usual one
/// @throws Error "The sweep has no axis \"x\" to plot against, expected one of a, b."; or if it
/// varies only the seed
SweepLayout layout_along(const SweepResults& results, const std::string& axis);

}   // namespace credence
