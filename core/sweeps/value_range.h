// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace credence {

/// Expands a range in a sweep file to a list, including both ends:
///
///     {"from": a, "to": b, "step": s}                      a, a + s, …, b; without a step it is 1
///     {"from": a, "to": b, "points": n}                    a + (b − a) i / (n − 1),  i = 0 … n − 1
///     {"from": a, "to": b, "points": n, "scale": "log"}    a (b / a)^(i / (n − 1))
///
/// Intermediate numbers are rounded to 12 digits, so that 0.1 + 2 · 0.1 is 0.3; for whole-number
/// settings to the nearest whole number.
/// @throws Error  with the expected values
nlohmann::ordered_json range_values(const nlohmann::ordered_json& range, bool whole);

}   // namespace credence
