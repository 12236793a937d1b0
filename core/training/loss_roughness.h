// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/snapshot.h"

#include <optional>

namespace credence {

/// Returns how much the recorded loss fluctuates around its trend, relative to its level: 0.03 is 3
/// %.
///
///     c_i = w_i L_{i−1} + (1 − w_i) L_{i+1},  w_i = (s_{i+1} − s_i)/(s_{i+1} − s_{i−1})     (the chord of the neighbours)
///     r   = sqrt(π/2) · mean over i of  |L_i − c_i| / ( (L_i + c_i)/2 · sqrt(1 + w_i² + (1 − w_i)²) )
///
/// for recorded losses L_i (mean minibatch losses since the last record, nats per example) at steps
/// s_i, i from the second to the last but one. A loss that falls along a straight line
/// has r = 0, however steep; a constant loss with independent Gaussian noise of standard deviation
/// σL, σ small, has r = σ. There is no window to choose, no logarithm (losses can be 0), and one
/// outlier counts once.
/// Means over more minibatches fluctuate less: compare runs with the same recorded steps and batch
/// size.
///
/// @return  empty: fewer than three records, or a negative or infinite loss (possible for
/// densities), which has no level to compare with
/// Source: designed for the claim of Posch and Pilz 2021, section IV-A, that the loss falls
/// smoothly, which states no number.
std::optional<double> loss_roughness(const TrainingHistory& history);

}   // namespace credence
