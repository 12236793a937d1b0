// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "methods/chains.h"
#include "methods/side_by_side.h"

namespace credence::method_parts {

/// Where chains of a method that has no trainings of its own begin: those of a trained start are trained side by side, each as ChainWalk does it. [count][weights]
/// @return        empty: it was cancelled, or the time was over
/// @throws Error  "Chain 2: on the way to its trained start …": the loss is no longer finite
std::vector<std::vector<float>> starts_of_chains(const Experiment& experiment, const Chains& chains, RunTime& time,
                                                 const std::stop_token& stop, TrainingControl* control,
                                                 Checkpoint* checkpoint);

}   // namespace credence::method_parts
