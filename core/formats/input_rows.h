// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace credence {

/// Reads a table of inputs alone: places at which a run is asked what it predicts. How bytes become cells stands in formats/csv_parser.h.
/// If the first line holds a word, it is a header, and columns are found by their names, whatever their order; columns with other names are passed over. Else the
/// columns are the inputs in their order. A one-hot input "colour=red" is 1 where the column "colour" says red.
/// @param names    of the inputs of a data set [d]
/// @return         [n × d], in the order of `names`, original units
/// @throws Error   that names file, line and column
std::vector<double> read_input_rows(const std::filesystem::path& file, std::span<const std::string> names);

}   // namespace credence
