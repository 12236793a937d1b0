// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace credence {

/// Mistakes that are made on purpose, so that a test can show that the tests of the samplers see
/// them. The defaults make none.
struct SamplerFaults {
    double momentum_scale = 1;   ///< momenta are drawn so many times too large
    bool extra_checks =
        true;   ///< NUTS: U-turns between neighbouring sub-trees are seen. Not a mistake without them, but a waste
    bool last_point = false;   ///< NUTS: a sub-tree proposes its last point, whatever the weights say
};

}   // namespace credence
