// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace credence {

/// Formats text as one line for use in a sentence. Line breaks and other control characters become
/// spaces. Text longer than `most` bytes keeps its beginning and end, with … in between.
std::string one_line(std::string_view text, std::size_t most);

/// Lists the first few names: "a", "a and b", "a, b, c and 3 more".
/// @param most  maximum number of names listed
std::string some_names(const std::vector<std::string>& names, std::size_t most = 3);

}   // namespace credence
