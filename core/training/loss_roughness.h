// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/snapshot.h"

#include <optional>

namespace credence {

/// Returns how much the recorded loss fluctuates around its own course, as a share of its level: 0.03 is 3 %.
///
///     c_i = w_i L_{i−1} + (1 − w_i) L_{i+1},  w_i = (s_{i+1} − s_i)/(s_{i+1} − s_{i−1})     (the chord of the neighbours)
///     r   = sqrt(π/2) · mean over i of  |L_i − c_i| / ( (L_i + c_i)/2 · sqrt(1 + w_i² + (1 − w_i)²) )
///
/// for recorded losses L_i (mean minibatch losses since the last record, nats per example) at steps s_i, i from the second to the last but one. A loss that falls along a straight line
/// has 0, however fast; one that stands still with independent Gaussian noise of standard deviation σL, σ small, has r = σ. No window is chosen, no logarithm is taken (losses may be 0), and one outlier counts once.
/// Means over more minibatches fluctuate less: compare runs that record at the same steps with the same batch size.
///
/// @return  empty: fewer than three records, a negative or infinite loss (densities of numbers have these), which has no level to be a share of
/// Source: made for the claim of Posch and Pilz 2021, section IV-A, that the loss falls smoothly, which states no number.
std::optional<double> loss_roughness(const TrainingHistory& history);

}   // namespace credence
