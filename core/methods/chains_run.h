// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "methods/chains.h"

namespace credence::method_parts {

/// Several chains side by side, or one with a stop rule: see run_chains.
Training run_several_chains(const Experiment& experiment, const Chains& chains, const std::stop_token& stop,
                            TrainingControl* control, const TrainingEvents& events);

/// How many chains of a net of so many weights go on at a time: 64 of a small one, 8 of a very large one, so that their working memory stays within bounds.
int chains_at_once(std::size_t n_weights);

}   // namespace credence::method_parts
