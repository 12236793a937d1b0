// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace credence {

/// The largest network: several vectors of this length (weights, noise, gradients, optimiser
/// moments) are in memory at once.
inline constexpr std::size_t most_weights = 50'000'000;

}   // namespace credence
