// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/split.h"

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

/// Which rows go into which part; each list ascends.
struct SplitRows {
    std::vector<std::uint32_t> training, test, calibration;
};

/// Chooses the rows of each part, see SplitKind. At least one row remains for training.
/// @throws Error  with the field: a column that is missing or has other marks than expected, a fold
/// that does not exist, row numbers that are not in the table
SplitRows choose_rows(const Dataset& all, const SplitOptions& options);

/// Reads row numbers, one per line, counted from 0. Empty lines are skipped.
/// @param n_rows  in the table
/// @throws Error  (split.test_rows) with the line: no whole number, out of range, or twice
std::vector<std::uint32_t> read_row_numbers(const std::string& file, std::size_t n_rows);

}   // namespace credence
