// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace credence {

/// What stands in a sentence as one line: line ends and other control characters as blanks; of more than `most` bytes the beginning and the end, with … between.
std::string one_line(std::string_view text, std::size_t most);

}   // namespace credence
