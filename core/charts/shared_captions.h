// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

namespace credence {

/// Captions of figures in one document, reduced to what differs.
struct SharedCaptions {
    std::string shared{};             ///< what applies unless a caption differs: "step 5000, 200 draws";
                                      ///< empty: nothing
    std::vector<std::string> own{};   ///< the remainder of each caption
};

/// Removes from captions the text that the document states elsewhere and the text that most of them
/// share. The first sentence of a caption, which describes the picture, is always kept.
/// @param captions  "What is drawn. SETTING, step 5000, 200 draws. More."
/// @param setting   stated elsewhere; empty: nothing
SharedCaptions shared_captions(std::span<const std::string> captions, const std::string& setting);

/// States the settings that runs in one picture share once, and the differences for each run: "
/// All: Data: Two moons. Seed 1. NUTS: Posterior: NUTS. SWAG: Posterior: SWAG." Starts with a
/// space.
/// @param names     of the runs
/// @param settings  the setting of each run as in captions, "Data: …. Posterior: …. Seed 1, step
/// 5000, 200 draws."; one per name
std::string settings_side_by_side(std::span<const std::string> names, std::span<const std::string> settings);

}   // namespace credence
