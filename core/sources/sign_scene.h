// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "random/noise.h"
#include "sources/sign_designs.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace credence {

inline constexpr std::size_t sign_side = 32, sign_plane = sign_side * sign_side;   ///< pixels of one colour

/// Draws one scene with this sign: background, sign, occlusion, light, camera, in this order
/// (docs/traffic-signs.md). A function of the key and of the difficulty.
/// @param difficulty  strength of all distortions, 0 to 1
/// @param out         [3 × sign_plane], overwritten
void draw_sign(const SignDesign& design, NoiseKey key, double difficulty, std::span<std::uint8_t> out);

}   // namespace credence
