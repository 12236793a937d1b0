// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"

#include <string_view>

namespace credence {

struct Preset {
    std::string id;   ///< "two_moons_mean_field": file name in resources/presets without .json
    Study study;
};

/// Kinds of studies, in the order of the menu.
enum class PresetGroup {
    plane,             ///< classes in the plane: every view, in seconds
    regression,        ///< a numeric target with one input
    laplace,           ///< Laplace approximations, on generated data
    draws,             ///< chains and ensembles, for classes in the plane
    draws_of_curves,   ///< the same for a numeric target with one input
    draws_of_images,   ///< the same for images, including those from files
    signs,             ///< drawn digits and letters: images without a download
    files,             ///< images that must be downloaded or imported first
    files_dense,       ///< the same with dense networks only
    files_colour,      ///< the same in colour
    bad,               ///< runs with a mistake that the linter finds, to be fixed
};
inline constexpr PresetGroup preset_groups[] = {
    PresetGroup::plane,           PresetGroup::regression,      PresetGroup::laplace, PresetGroup::draws,
    PresetGroup::draws_of_curves, PresetGroup::draws_of_images, PresetGroup::signs,   PresetGroup::files,
    PresetGroup::files_dense,     PresetGroup::files_colour,    PresetGroup::bad};
PresetGroup group_of(const Study& preset);
const char* title_of(PresetGroup group);
const char* hint_of(PresetGroup group);   ///< one sentence: what the group shows

/// The annotated built-in studies, compiled in from resources/presets/*.json; the first is the
/// default Study.
const std::vector<Preset>& presets();
const Study& preset(std::string_view id);   ///< @throws Error that lists the ids
const Study& default_study();
/// Returns the preset with these settings, ignoring name, note and seed; null if there is none.
const Preset* preset_with(const Study& settings);
/// True if the name or the note comes from a preset. Such texts are dropped when the settings
/// change; the user's own text is kept.
bool is_named_as_preset(const Study& study);
bool is_noted_as_preset(const Study& study);

}   // namespace credence
