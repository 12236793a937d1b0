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

/// The rewards of the mushroom bandit (Blundell et al. 2015, section 5.3): eating an edible one
/// gives 5, a poisonous one −35 or 5 with equal probability; leaving it gives 0.
namespace credence::mushroom_bandit {

inline constexpr double eaten_reward = 5, poisoned_reward = -35;

/// @param lucky  true if a poisonous mushroom does no harm
inline double reward(bool edible, bool eat, bool lucky)
{
    return !eat ? 0 : edible || lucky ? eaten_reward : poisoned_reward;
}
/// The expectation of `reward` over `lucky`.
inline double expected_reward(bool edible, bool eat)
{
    return 0.5 * (reward(edible, eat, true) + reward(edible, eat, false));
}
/// Reward of an oracle that eats exactly the edible mushrooms.
inline double oracle_reward(bool edible) { return expected_reward(edible, edible); }

}   // namespace credence::mushroom_bandit
