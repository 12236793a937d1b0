// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simplex/beta.h"
#include "simplex/laplace_bridge.h"

#include <string>
#include <vector>

namespace credence {

/// An instructive Gaussian over three logits, with the bridge variant that it illustrates.
struct SimplexPreset {
    std::string id, title, note;
    LogitGaussian distribution;
    BridgeVariant variant = BridgeVariant::plain;
};
/// Hobbhahn 2020, Fig. 1.1: two Dirichlets with the same mode; Fig. 5.3: its three Gaussians; both
/// with the numbers of the thesis. Adapted from its Figs. 2.2 and 2.3, with our own numbers: the
/// effect of the bridge on Dirichlets and on Gaussians of increasing width.
const std::vector<SimplexPreset>& simplex_presets();

struct BetaPreset {
    std::string title;
    Beta distribution;
};
/// Adapted from Hobbhahn 2020, Fig. 2.1, with our own shapes: one without a mode, two asymmetric
/// ones, a flat one and a narrow one.
const std::vector<BetaPreset>& beta_presets();

}   // namespace credence
