// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "prediction/class_predictions.h"
#include "views/chain_draws.h"
#include "views/probe_points.h"
#include "views/views.h"

#include <optional>
#include <span>
#include <stop_token>
#include <vector>

/// How far what one run predicts lies from what another one does.
namespace credence::view_support {

/// What some draws say at a set of places: of classes their mean probabilities, of a regression the draws of the function themselves.
struct SaidThere {
    ClassPredictions classes{};
    QuantityDraws functions{};
};
/// At the scored rows, and at the probe points where the inputs are one or two.
struct Said {
    SaidThere rows{};
    std::optional<SaidThere> places{};
    int n_draws = 0;
};

/// Sets of draws are used whole, each draw once; other posteriors by options.samples, or at least 1,000 draws.
/// @param options  its region is that of the places. @return  empty: stopped
std::optional<Said> said_by(const RunMoment& run, const ViewOptions& options, const std::stop_token& stop);

/// What all draws of chains say, and what the one half of the chains says against the other; of one chain, its first half against its second.
struct SaidByHalves {
    Said whole{}, first{}, second{};
};
std::optional<SaidByHalves> said_by_chains(const RunMoment& run, const ChainMoment& chains, const ViewOptions& options,
                                           const std::stop_token& stop);

/// What is measured, for one set of places: classes have agreement, total variation and the difference of the epistemic part; a regression has the 1-Wasserstein distance
/// and the difference of the standard deviation of f. @param where  "test set", "map"
std::vector<Column> distance_columns(const Experiment& experiment, const std::string& where);
/// [columns], in their order: of `one` from `truth`.
std::vector<double> distances(const SaidThere& one, const SaidThere& truth, Task task);
/// The distance at each place: total variation, or 1-Wasserstein.
std::vector<double> distance_each(const SaidThere& one, const SaidThere& truth, Task task);

/// The places at which all are asked: of two inputs the cells of a map.
ProbePoints places_of(const Experiment& experiment, const ViewOptions& options);

/// Are the rows the same, for training and for scoring, and what is to be predicted of them?
bool same_data(const Experiment& a, const Experiment& b);

}   // namespace credence::view_support
