// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"

#include <string>
#include <string_view>

namespace credence {

/// Describes the settings of one part of a Study in one line of at most 60 characters: "Two moons ·
/// 500 points · noise 0.1".
/// @param group  "data" (with the split), "network", "posterior" (with the prior), "training" or
///        "prediction"; empty text for any other
/// @param weights  of the network, which depends on the data; 0: not known
std::string study_sentence(const Study& study, std::string_view group, std::size_t weights = 0);

}   // namespace credence
