// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

namespace credence::mushroom_bandit {

inline constexpr std::size_t n_attributes = 22;

/// The name of attribute i = 0 … 21 of the UCI Mushroom table, in the order of its columns after
/// the class: "odor".
const char* attribute_name(std::size_t i);
/// Meaning of a letter of attribute i: "foul" for "f" of odor; unknown letters are returned unchanged.
std::string value_name(std::size_t i, const std::string& letter);

}   // namespace credence::mushroom_bandit
