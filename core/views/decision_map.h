// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/decision_map.h"
#include "runs/probe_places.h"
#include "views/views.h"

#include <span>

/// Views over the plane of two inputs.
namespace credence::view_support {

/// Returns why a run has no map: it needs two inputs and classes.
std::optional<std::string> why_no_plane(const Experiment& experiment);

/// A panel with a map over the plane of two inputs and at most 3,000 training points on it, by
/// class where there are classes.
/// @param heat  with its values; the grid gives the position of its cells
Panel plane_panel(const Experiment& experiment, const MapGrid& grid, HeatMap heat);

/// Adds the test points of a classification run to the panel's map: hollow, below the training
/// points.
void add_test_points(Panel& panel, const Experiment& experiment);

/// Predicts over a region. Empty: stopped.
std::optional<DecisionMap> map_over(const RunSnapshot& run, const ViewOptions& options, std::pair<Range, Range> region,
                                    std::stop_token stop);

}   // namespace credence::view_support

namespace credence {

/// Decision maps of several runs side by side, on one region and one colour scale.
/// @return  empty if `stop` was requested; a run without a map becomes a message
std::optional<Chart> compare_decision_maps(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                           std::stop_token stop = {});

}   // namespace credence
