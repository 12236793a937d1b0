// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace credence {

/// Parses JSON text. All JSON input goes through this function. Nesting is limited to 64 levels, so
/// recursion over the result is safe, and numbers must be in the range of double. `Json` is
/// nlohmann::json or nlohmann::ordered_json.
/// @param origin    source of the text, placed at the start of the error message
/// @param expected  what the text should contain, e.g. "a study"
/// @throws Error    "my.json, line 3: found text that is not JSON, expected a study."
template <class Json = nlohmann::json>
Json parse_json(std::string_view text, const std::string& origin, const std::string& expected);

}   // namespace credence
