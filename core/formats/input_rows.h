// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace credence {

/// Reads a table of inputs to predict. formats/csv_parser.h describes how bytes become cells. If
/// the first line contains a word, it is a header, and columns are found by name in any order;
/// other columns are ignored. Otherwise the columns are the inputs in order. A one-hot input
/// "colour=red" is 1 if the column "colour" is red.
/// @param names    of the inputs of a data set [d]
/// @return         [n × d], in the order of `names`, original units
/// @throws Error   that names file, line and column
std::vector<double> read_input_rows(const std::filesystem::path& file, std::span<const std::string> names);

}   // namespace credence
