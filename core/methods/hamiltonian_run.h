// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/chain.h"
#include "runs/experiment.h"
#include "study/method.h"

#include <vector>

// Methods whose posterior is a set of draws from parallel Hamiltonian chains.
namespace credence::method_parts {

// Each function returns one setting, with the same definition in every method that uses it.
Field warmup_transitions_field();
Field draws_field();
Field target_acceptance_field();
Field metric_field();
/// All of these settings, the number of chains and their starting points.
std::vector<Field> hamiltonian_fields();

/// Refuses networks whose output is not a function of the weights alone, and too many draws.
std::optional<Error> refusal_of_hamiltonian(const Experiment& experiment);
/// Defaults: few hidden units, so that a chain can explore the posterior, with prior N(0, 1).
std::vector<UsualSetting> usual_of_hamiltonian(const Study& study);

/// Number of transitions per chain: warm-up plus draws.
long transitions_of(const Study& study);
RunPlan plan_of_hamiltonian(const Study& study);
/// ", 4 chains of 1000 draws after 1000 warm-up transitions, prior N(0, 1²)"
std::string caption_of_chains(const RunSnapshot& run);

/// Runs the Study's chains in parallel, each on one thread at a time: warm-up, then draws. Networks
/// for trained starts are trained first and not counted as steps. Snapshots contain the draws of
/// all chains so far, draw by draw and within that chain by chain; during the warm-up, the current
/// states. Steps are transitions per chain. Chain k is a pure function of (seed, k): same bits on
/// any number of threads. With a stopping rule, the run ends as soon as the rule is met, at a
/// number of draws determined by the Study. A stopped run keeps its draws.
/// @param sampler  used by every chain
Training run_hamiltonian(const Experiment& experiment, const std::variant<NutsOptions, HmcOptions>& sampler,
                         std::stop_token stop, TrainingControl* control, const TrainingEvents& events);

/// A Hamiltonian method with everything that NUTS and HMC share; each of these adds its id, texts,
/// fields and fit. The statistics of its chains are stored in the archive and in results.json.
Method hamiltonian_method();

}   // namespace credence::method_parts
