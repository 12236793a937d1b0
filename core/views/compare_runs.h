// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/training_curves.h"
#include "views/views.h"

#include <span>
#include <stop_token>
#include <variant>

namespace credence {

/// The sampled outputs of several runs at the selected input, one panel per run, on one scale. Runs
/// on data with a different number of inputs are left out, and so are imported predictions with
/// different rows; the caption lists them.
/// @param options  `input`, in original units; empty: row `row` of each run's own test set
/// @return  empty if `stop` was requested
std::optional<Chart> compare_boxplots(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                      std::stop_token stop = {});

/// Compares several runs with the reference posterior: the first NUTS run among them, otherwise the
/// first HMC run. One row per run. The first row compares the two halves of the reference chains:
/// the Monte Carlo noise floor. The others are sorted by their distance over the map or along x.
/// For two inputs the panels are maps of the distance; for one input and a numeric target they are
/// the bands; one panel per run, on one scale. Without a chain run, or with different data: a
/// message.
/// @return  empty if `stop` was requested
/// @throws Error if the chains do not have enough draws yet
std::optional<Chart> compare_reference(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                       std::stop_token stop = {});

/// The distances in the table of compare_reference as horizontal bars, nearest first. A grey band reaches from 0 to the
/// distance between the halves of the reference chains.
Chart distance_ranking(const Chart& compared);

TrainingCurves training_curves_of(const RunSnapshot& run);

/// The curves of several runs with distinct names; or the reason why they cannot share a panel.
std::variant<std::vector<TrainingCurves>, std::string> curves_of_runs(std::span<const RunSnapshot> runs);

/// "… Name: setting. Name: setting." for the caption.
std::string settings_of_runs(std::span<const RunSnapshot> runs);

}   // namespace credence
