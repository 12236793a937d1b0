// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "methods/chains.h"
#include "methods/side_by_side.h"

namespace credence::method_parts {

/// Returns the starting points of chains whose method trains no networks itself. Trained starts are
/// trained in parallel, each as in ChainWalk. [count][weights]
/// @return        empty: cancelled, or time limit
/// @throws Error  "Chain 2: on the way to its trained start …": the loss is no longer finite
std::vector<std::vector<float>> starts_of_chains(const Experiment& experiment, const Chains& chains, RunTime& time,
                                                 const std::stop_token& stop, TrainingControl* control,
                                                 Checkpoint* checkpoint);

}   // namespace credence::method_parts
