// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/method.h"

#include <string>
#include <vector>

// Settings shared by the methods that store draws, and the steps after which a draw is stored.
namespace credence::method_parts {

// Each function returns one setting, with the same definition in every method that uses it.
Field chains_field();
Field burn_in_field();
Field kept_draws_field();
Field start_field();
Field warm_up_field();
Field temperature_field();
/// All of these settings and the stopping rules for such chains (stop_rule.h).
std::vector<Field> chain_fields();

/// Returns the Study's value of a method setting.
double number_of(const Study& study, const char* path);
long count_of(const Study& study, const char* path);
bool flag_of(const Study& study, const char* path);
std::string name_of(const Study& study, const char* path);

/// Returns n evenly spaced steps from first + 1 to last, including the last one; all of these steps
/// if there are fewer than n. A draw is stored after each.
std::vector<long> evenly_kept(long first, long last, long n);
/// Returns the steps whose draws are stored, for a chain as long as the Study's training:
/// posterior.kept_draws steps after the burn-in.
std::vector<long> kept_steps(const Study& study);
std::vector<long> kept_steps(const Study& study, long n);   ///< n steps

/// True if the chains start from trained networks.
bool begins_trained(const Study& study);
/// Steps to each trained network; 0 if chains start elsewhere.
long warm_up_of(const Study& study);
/// Steps of all chains and of the training before their starts.
long steps_of_chains(const Study& study);

/// Initial steps of each chain that are discarded.
long burn_in_of(const Study& study);
/// Returns the plan of chains with the settings above: the burn-in, and the steps after which draws
/// are stored.
RunPlan plan_of_chains(const Study& study, std::vector<long> kept);

/// Returns an error if the draws need more memory than fits in a file; empty if they fit.
/// @param draws  number of draws over all chains
/// @param path   the setting to reduce, named in the error
std::optional<Error> refusal_of_draws(const Experiment& experiment, long draws, const char* path);
/// The same for chains with the settings above.
std::optional<Error> refusal_of_chains(const Experiment& experiment);

/// Defaults shared by all chain methods, for tables and for images: the usual number of steps, a
/// constant learning rate, prior sd 1.
std::vector<UsualSetting> usual_of_chains(const char* rate_of_tables, const char* rate_of_images, const Study& study);

/// Online training by chains at the Study's temperature. The chains continue as rows arrive.
OnlineTraining online_chain(const Study& study, LangevinOptions langevin);

/// A method whose draws are states of chains under the Study's prior, with the parts that these
/// methods share. Each method adds its id, texts, fields, defaults and fit.
Method chain_method();

/// Returns the seed of chain or member k: the Study's for the first, then a function of (seed, k),
/// within the range of Study seeds.
std::uint64_t seed_of_chain(std::uint64_t seed, int k);

}   // namespace credence::method_parts
