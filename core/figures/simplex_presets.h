// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simplex/beta.h"
#include "simplex/laplace_bridge.h"

#include <string>
#include <vector>

namespace credence {

/// A Gaussian over three logits worth looking at, with the bridge that it is meant for.
struct SimplexPreset {
    std::string id, title, note;
    LogitGaussian law;
    BridgeVariant variant = BridgeVariant::plain;
};
/// Hobbhahn 2020, Fig. 1.1: two Dirichlets with one mode; Fig. 5.3: its three Gaussians, both with the numbers of the thesis. After its Figs. 2.2 and 2.3: what the bridge does to Dirichlets and to
/// Gaussians of growing width, with numbers of our own.
const std::vector<SimplexPreset>& simplex_presets();

struct BetaPreset {
    std::string title;
    Beta law;
};
/// After Hobbhahn 2020, Fig. 2.1, with shapes of our own: one without a mode, two that lean to either side; and a flat and a narrow one.
const std::vector<BetaPreset>& beta_presets();

}   // namespace credence
