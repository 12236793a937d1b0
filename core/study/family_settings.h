// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"

#include <string>
#include <vector>

namespace credence {

/// A study with another posterior, and what that changed.
struct FamilyChange {
    Study study;
    std::vector<std::string> changes;   ///< as `differences` words them: "Prior sd of weights: 0.5 → 1"
};

/// Sets `posterior.family` and the settings that go with that method, for tables or for images: Method::usual.
///
/// Only settings that still stand at the value that goes with the study's present method are changed: what the user set stays. A value that happens to be the one
/// that goes with the new method is taken for it from then on. The presets two_moons_* are one another's images, but for name and note; so are
/// stroke_digits_lenet_* and mnist_lenet_*.
FamilyChange with_family_defaults(const Study& study, const std::string& family);

/// Another network, with the family's settings that go with it (starting τ of LeNet's first dense layer, its dropout) where they still stand at those of
/// the network before.
Study with_network_kind(const Study& study, NetworkKind kind);

}   // namespace credence
