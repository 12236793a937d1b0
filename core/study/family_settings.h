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
///     tridiagonal        the same with κ = 50, starting ρ 0.01                                    (Posch and Pilz 2021)
///     laplace            weight decay 1e-3, learning rate 0.01; here and for images: predictions by the linearised net
///
/// Studies of images have those of the papers on MNIST, with momentum and the learning rate 0.01 where nothing else is said:
///
///     point_estimate     weight decay 5e-4, and dropout 0.5 after the first dense layer of LeNet   (Posch and Pilz 2021, "frequentist")
///     bernoulli_dropout  weight decay 5e-4, dropout rate 0.2 before every weight layer              (the same, "Bernoulli")
///     mean_field         1/10 of the ELBO's KL, prior sd 1, starting σ 0.04, Adam with the learning rate 0.001
///     layer_scale        ν = 1/(100 N), prior sd 1, starting τ 0.4 and 0.1; 1 and 0.2 in the first dense layer of LeNet
///     tridiagonal        the same with κ = 50, starting ρ 0.01
///     laplace            weight decay 5e-4, no dropout
///
/// Only settings that still stand at the value that goes with the study's present family are changed: what the user set stays. A
/// value that happens to be the one that goes with the new family is taken for it from then on. The five presets two_moons_* are one another's images, but for name and note; so are stroke_digits_lenet_* and mnist_lenet_*.
FamilyChange with_family_defaults(const Study& study, Family family);

/// Another network, with the family's settings that go with it (starting τ of LeNet's first dense layer, its dropout) where they still stand at those of
/// the network before.
Study with_network_kind(const Study& study, NetworkKind kind);

}  // namespace credence
