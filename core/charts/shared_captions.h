// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

namespace credence {

/// Captions of figures that stand in one document, each with what differs.
struct SharedCaptions {
    std::string shared{};   ///< what holds unless a caption says otherwise: "step 5000, 200 draws"; empty: nothing
    std::vector<std::string> own{};   ///< of each caption what is left
};

/// Takes out of captions what is said of the whole document already, and what most of them share. The first sentence of a caption, which says what is drawn, always stays.
/// @param captions  "What is drawn. SETTING, step 5000, 200 draws. More."
/// @param setting   said elsewhere; empty: nothing is
SharedCaptions shared_captions(std::span<const std::string> captions, const std::string& setting);

/// Says of runs in one picture what they share once, and of each what differs: " All: Data: Two moons. Seed 1. NUTS: Posterior: NUTS. SWAG: Posterior: SWAG." Begins with a space.
/// @param names     of the runs
/// @param settings  of each run its setting as captions have it, "Data: …. Posterior: …. Seed 1, step 5000, 200 draws."; as many as names
std::string settings_side_by_side(std::span<const std::string> names, std::span<const std::string> settings);

}   // namespace credence
