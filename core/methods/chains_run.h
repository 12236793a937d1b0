// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "methods/chains.h"

namespace credence::method_parts {

/// Runs several parallel chains, or one chain with a stopping rule: see run_chains.
Training run_several_chains(const Experiment& experiment, const Chains& chains, const std::stop_token& stop,
                            TrainingControl* control, const TrainingEvents& events);

/// Returns how many chains of a network with so many weights run at a time: 64 for a small network,
/// 8 for a very large one, which bounds the memory.
int chains_at_once(std::size_t n_weights);

}   // namespace credence::method_parts
