// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace credence {

/// Which weights go when the given share with the smallest signal-to-noise ratio |mean|/sd is set to zero (Blundell et al. 2015, section 5.1, Table 2).
///
/// @param fraction  in [0, 1]
/// @return          flat indices of the floor(fraction · n) smallest ratios, ascending; of equal ratios the earlier weight goes first
/// @throws Error    if `fraction` is outside [0, 1]
template <class T>
std::vector<std::size_t> prune_by_snr(std::span<const T> mean, std::span<const T> sd, double fraction);

}   // namespace credence
