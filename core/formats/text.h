// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace credence {

/// A piece of a file for an error message: in “quotes”, control characters as spaces, cut after 40
/// characters.
std::string quoted_text(std::string_view piece);

}   // namespace credence
