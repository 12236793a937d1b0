// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"

namespace credence {

struct Preset {
    std::string id;   ///< "two_moons_mean_field": the file's name in resources/presets without .json
    Study study;
};

/// What kinds of studies there are, in the order of a menu.
enum class PresetGroup {
    plane,             ///< classes in the plane: every view, in seconds
    regression,        ///< a number to predict from one input
    laplace,           ///< Laplace approximations, of any data that the program makes itself
    draws,             ///< chains and ensembles, of classes in the plane
    draws_of_curves,   ///< of a number to predict from one input
    draws_of_images,   ///< of images, those of files among them
    signs,             ///< drawn digits and letters: images without a download
    files,             ///< images that are downloaded or imported first
    files_dense,       ///< the same by nets of dense layers only
    files_colour,      ///< the same in colour
};
inline constexpr PresetGroup preset_groups[] = {
    PresetGroup::plane,           PresetGroup::regression,      PresetGroup::laplace, PresetGroup::draws,
    PresetGroup::draws_of_curves, PresetGroup::draws_of_images, PresetGroup::signs,   PresetGroup::files,
    PresetGroup::files_dense,     PresetGroup::files_colour};
PresetGroup group_of(const Study& preset);
const char* title_of(PresetGroup group);
const char* hint_of(PresetGroup group);   ///< one sentence: what there is to be seen

/// The annotated studies that the program brings with it, compiled in from resources/presets/*.json; the first is the default Study.
const std::vector<Preset>& presets();
const Study& preset(const std::string& id);   ///< @throws Error that lists the ids
const Study& default_study();
/// The preset with these settings, whatever the Study's name, note and seed; null: none.
const Preset* preset_with(const Study& settings);
/// Does the name, or the note, come with a preset? Then it goes when the settings go that it speaks of; one's own words stay.
bool is_named_as_preset(const Study& study);
bool is_noted_as_preset(const Study& study);

}   // namespace credence
