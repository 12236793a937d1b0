// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace credence {

/// What stands in a sentence as one line: line ends and other control characters as blanks; of more than `most` bytes the beginning and the end, with … between.
std::string one_line(std::string_view text, std::size_t most);

/// The first few of some names: "a", "a and b", "a, b, c and 3 more". @param most  so many are named
std::string some_names(const std::vector<std::string>& names, std::size_t most = 3);

}   // namespace credence
