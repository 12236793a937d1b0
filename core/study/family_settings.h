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

/// Sets `posterior.family` and the settings that go with it:
///
///     point_estimate     weight decay 1e-4, learning rate 0.01
///     bernoulli_dropout  the same, dropout rate 0.1
///     mean_field         the ELBO itself, prior sd 0.5 of weights and 2 of biases, starting σ 0.05, learning rate 0.01
///     layer_scale        ν = 1/(100 N), prior sd 1, starting τ 0.4 and 0.1, learning rate 0.003   (Steinbrener et al. 2020)
///     tridiagonal        the same with κ = 50, starting ρ 0.01                                    (Posch and Pilz)
///
/// Only settings that still stand at the value that goes with the study's present family are changed: what the user set stays. A
/// value that happens to be the one that goes with the new family is taken for it from then on. The five presets two_moons_* are one another's images, but for name and note.
FamilyChange with_family_defaults(const Study& study, Family family);

}  // namespace credence
