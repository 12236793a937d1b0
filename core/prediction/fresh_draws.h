// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/posterior.h"

#include <memory>

namespace credence {

/// Disjoint samples of one posterior: some for the gradient of an attack, others to evaluate it.
struct DrawsApart {
    std::shared_ptr<const Posterior> gradient, fresh;
};

/// Divides a set of M >= 2 draws: min(draws, ⌊M/2⌋) of them, evenly spaced, for gradients, and all
/// others for predictions. For any other posterior both
/// are the posterior itself, whose samples differ by the streams of their keys, or which has only
/// one sample.
/// `draw` goes through the part in order; moments and summaries are those of the whole set.
/// Source: the functional-BNN submission uses one state for the gradient, and the others for
/// entropy and accuracy
DrawsApart draws_apart(const std::shared_ptr<const Posterior>& posterior, int draws);

}   // namespace credence
