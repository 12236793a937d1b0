// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// The rewards of the mushroom bandit (Blundell et al. 2015, section 5.3): to eat an edible one brings 5; a poisonous one −35 or, by a fair coin, 5; to leave it 0.
namespace credence::mushroom_bandit {

inline constexpr double eaten_reward = 5, poisoned_reward = -35;

/// @param lucky  the coin's side on which a poisonous mushroom does no harm
inline double reward(bool edible, bool eat, bool lucky)
{
    return !eat ? 0 : edible || lucky ? eaten_reward : poisoned_reward;
}
/// The mean of `reward` over the coin.
inline double expected_reward(bool edible, bool eat)
{
    return 0.5 * (reward(edible, eat, true) + reward(edible, eat, false));
}
/// Of one who knows what is edible and eats nothing else.
inline double oracle_reward(bool edible) { return expected_reward(edible, edible); }

}   // namespace credence::mushroom_bandit
