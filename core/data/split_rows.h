// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace credence {

/// The column that decides how the rows of a table are split.
struct SplitColumn {
    std::string name;
    std::vector<std::string> values  = {};   ///< distinct cells
    std::vector<std::uint32_t> codes = {};   ///< [n_rows] index into values
    std::vector<double> numbers      = {};   ///< [n_rows] numbers, days or hours; empty: the cells are words
};

}   // namespace credence
