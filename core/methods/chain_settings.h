// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/method.h"

#include <string>
#include <vector>

// What the methods that keep draws have in common: their settings, and when a draw is kept.
namespace credence::method_parts {

// Each makes one setting, the same for all methods that list it.
Field chains_field();
Field burn_in_field();
Field kept_draws_field();
Field start_field();
Field warm_up_field();
Field temperature_field();
/// All of these, and the rules by which such chains stop (stop_rule.h).
std::vector<Field> chain_fields();

/// A setting of a method, as it stands in the study.
double number_of(const Study& study, const char* path);
long count_of(const Study& study, const char* path);
bool flag_of(const Study& study, const char* path);
std::string name_of(const Study& study, const char* path);

/// Of steps first + 1 … last those after which a draw is kept: n of them, evenly, the last one among them; all if there are fewer.
std::vector<long> evenly_kept(long first, long last, long n);
/// Of a chain as long as the Study's training: after the burn-in, posterior.kept_draws of them.
std::vector<long> kept_steps(const Study& study);
std::vector<long> kept_steps(const Study& study, long n);   ///< n of them

/// Do the chains begin at trained nets?
bool begins_trained(const Study& study);
/// Steps to each trained net; 0: chains begin elsewhere.
long warm_up_of(const Study& study);
/// Of all chains and what leads to their starts.
long steps_of_chains(const Study& study);

/// The first steps of each chain, of which nothing is kept.
long burn_in_of(const Study& study);
/// Of chains with the settings above: burn-in, and what is kept after these steps.
RunPlan plan_of_chains(const Study& study, std::vector<long> kept);

/// The sentence against draws that need more memory than can be kept in a file; empty: they fit.
/// @param draws  of all chains together; @param path  the setting that would have to be smaller
std::optional<Error> refusal_of_draws(const Experiment& experiment, long draws, const char* path);
/// Of chains with the settings above.
std::optional<Error> refusal_of_chains(const Experiment& experiment);

/// What is usual for every chain: as many steps at the same rate as there are, under a prior of sd 1 for tables and images alike.
std::vector<UsualSetting> usual_of_chains(const char* rate_of_tables, const char* rate_of_images, const Study& study);

/// At the temperature of the Study: its chains, which go on as rows come.
OnlineTraining online_chain(const Study& study, LangevinOptions langevin);

/// A state of a chain, at these weights.
std::unique_ptr<VariationalFamily<float>>
begins_as_chain(const ParameterLayout& layout, const PosteriorOptions& options, std::span<const float> means);

/// A method whose draws are states of chains under the Study's prior, without what tells it from others: id, words, fields, usual settings, fit.
Method chain_method();

/// The seed of chain or member k: the Study's for the first, then a function of (seed, k), again a seed that a Study may have.
std::uint64_t seed_of_chain(std::uint64_t seed, int k);

}   // namespace credence::method_parts
