// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace credence {

/// The one way from text to JSON: nested at most 64 deep (whoever walks through the value may call himself), each number within the range of double.
/// `Json` is nlohmann::json or nlohmann::ordered_json.
/// @param origin    where the text is from, begins the sentence
/// @param expected  "a study"
/// @throws Error    "my.json, line 3: found text that is not JSON, expected a study."
template <class Json = nlohmann::json>
Json parse_json(std::string_view text, const std::string& origin, const std::string& expected);

}   // namespace credence
