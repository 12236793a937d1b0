// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace credence {

/// Deliberate faults, to show that the tests of the samplers detect them. None by default.
struct SamplerFaults {
    double momentum_scale = 1;   ///< momenta are scaled by this factor
    bool extra_checks =
        true;   ///< NUTS: detects U-turns between neighbouring sub-trees. Switching it off is inefficient, not wrong
    bool last_point = false;   ///< NUTS: a sub-tree proposes its last point, ignoring the weights
};

}   // namespace credence
