// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace credence {

/// A piece of a file as it stands in a sentence: in “quotes”, control characters as spaces, cut after 40 characters.
std::string quoted_text(std::string_view piece);

}   // namespace credence
