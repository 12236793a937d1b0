// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/double_well_walk.h"
#include "charts/chart.h"

/// Pictures of two chains on the double well, adapted from the functional-BNN submission, Fig. 1.
namespace credence::double_well {

// Colours of the chains in all pictures.
inline Tone plain_tone() { return category(1); }
inline Tone functional_tone() { return category(0); }

/// Left: U(θ), the state of the plain chain on it, and the Gaussian as a bell at its expected
/// potential E U, each with its last ten states. Right: the free energy F(μ, s) = E U − entropy, on
/// which the Gaussian moves, with the line at the height of its saddle and the last states.
Chart walkers_chart(const Walk& walk);

/// θ of the plain chain, and μ with μ ± s of the functional chain, against the step; at most 1,000
/// equally spaced states.
Chart trace_chart(const Walk& walk);

}   // namespace credence::double_well
