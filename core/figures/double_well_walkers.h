// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/double_well_walk.h"
#include "charts/chart.h"

/// The pictures of two chains on the double well, after the functional-BNN submission, Fig. 1.
namespace credence::double_well {

// The chains' colours in every picture of them.
inline Tone plain_tone() { return category(1); }
inline Tone functional_tone() { return category(0); }

/// Left: U(θ), the point on it, and the Gaussian as a bell that stands at its expected potential E U, each with its last ten states. Right: the free energy
/// F(μ, s) = E U − entropy, on which the Gaussian moves, with the line at the height of its pass and the last states.
Chart walkers_chart(const Walk& walk);

/// θ of the plain chain, and μ with μ ± s of the functional one, against the step; at most 1,000 states of a long walk, equally far apart.
Chart trace_chart(const Walk& walk);

}   // namespace credence::double_well
