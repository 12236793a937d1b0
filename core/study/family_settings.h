// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"

#include <string>
#include <vector>

namespace credence {

/// A study with another posterior, and the resulting changes.
struct FamilyChange {
    Study study;
    std::vector<std::string> changes;   ///< as worded by `differences`: "Prior sd of weights: 0.5 → 1"
};

/// Sets `posterior.family` and the usual settings of that method for tables or images:
/// Method::usual.
///
/// Changes only settings that have the usual value of the study's present method, and keeps what
/// the user set. A value that happens to equal the usual one of the new method counts as usual from
/// then on. The presets two_moons_* become one another, but for name and note; so do
/// stroke_digits_lenet_* and mnist_lenet_*.
FamilyChange with_family_defaults(const Study& study, const std::string& family);

/// Sets another network, with the family's usual settings for it (initial τ of LeNet's first dense
/// layer, its dropout) if they still have the usual values of the previous network.
Study with_network_kind(const Study& study, NetworkKind kind);

}   // namespace credence
