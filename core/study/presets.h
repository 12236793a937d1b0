// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"

namespace credence {

struct Preset {
    std::string id;      ///< "two_moons_mean_field": the file's name in resources/presets without .json
    Study       study;
};

/// The annotated studies that the program brings with it, compiled in from resources/presets/*.json; the first is the default Study.
const std::vector<Preset>& presets();
const Study& preset(const std::string& id);   ///< @throws Error that lists the ids
const Study& default_study();

}  // namespace credence
