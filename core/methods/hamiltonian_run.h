// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/chain.h"
#include "runs/train.h"
#include "study/method.h"

#include <vector>

// Methods whose posterior is a set of draws of Hamiltonian chains, which run side by side.
namespace credence::method_parts {

// Each makes one setting, the same for all methods that list it.
Field warmup_transitions_field();
Field draws_field();
Field target_acceptance_field();
Field metric_field();
/// All of these, and the number of chains and their start.
std::vector<Field> hamiltonian_fields();

/// What a net that is no function of its weights alone is refused with, and draws that are too many.
std::optional<Error> refusal_of_hamiltonian(const Experiment& experiment);
/// Few hidden units, whose posterior a chain can walk through, under N(0, 1).
std::vector<UsualSetting> usual_of_hamiltonian(const Study& study);

/// Of each chain, warm-up and draws.
long transitions_of(const Study& study);
RunPlan plan_of_hamiltonian(const Study& study);
/// ", 4 chains of 1000 draws behind 1000 transitions of warm-up, prior N(0, 1²)"
std::string caption_of_chains(const RunMoment& moment);

/// Runs the chains of the Study side by side, each on one thread at a time: warm-up, then draws. Nets at which chains begin that start at trained ones are trained first, which no step counts. Snapshots have the draws that all chains have made so far, in the order draw by draw and in it
/// chain by chain; during the warm-up the states of now. Steps are transitions of each chain. Chain k is a pure function of (seed, k): same bits on any number of threads.
/// With a stop rule it ends as soon as that is met, at a number of draws that the Study determines. What is stopped keeps the draws that it has.
/// @param sampler  of every chain
Training run_hamiltonian(const Experiment& experiment, const std::variant<NutsOptions, HmcOptions>& sampler,
                         std::stop_token stop, TrainingControl* control, const TrainingEvents& events);

/// A method of such chains, without what tells it from others: id, words, fields, fit. It keeps the numbers of its chains in the archive and adds them to results.json.
Method hamiltonian_method();

}   // namespace credence::method_parts
