// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/hamiltonian.h"

namespace credence {

/// Doubles or halves a step size until the acceptance of one leapfrog step crosses the target, with
/// a new momentum each time.
/// @param start    evaluated; unchanged except for its momentum
/// @param scratch  another point
/// @throws Error   "… no step size from 1e-…": the density is not differentiable or not finite
/// around the start
/// Source: Hoffman and Gelman 2014, algorithm 4, with the target instead of 1/2 as in Stan
double find_step_size(const Hamiltonian& hamiltonian, PhasePoint& start, PhasePoint& scratch, double step_size,
                      double target, ChainNoise& noise);

}   // namespace credence
