// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/posterior.h"

#include <memory>

namespace credence {

/// Draws of one posterior for two purposes that must not share any: an attack takes its gradient from some, others are asked what it did.
struct DrawsApart {
    std::shared_ptr<const Posterior> gradient, fresh;
};

/// Divides a set of M >= 2 draws: min(draws, ⌊M/2⌋) of them, evenly over the set, for gradients, and all others for predictions. Of any other posterior both
/// are the posterior itself, whose draws differ by their keys' streams, or which has one draw alone.
/// `draw` goes through the part in its order; moments and summaries are those of the whole set.
/// Source: the functional-BNN submission takes the gradient from one state, entropy and accuracy from the others
DrawsApart draws_apart(const std::shared_ptr<const Posterior>& posterior, int draws);

}   // namespace credence
