// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/chart.h"
#include "figures/decision_map.h"
#include "study/experiment.h"

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace credence {

/// What the user chose besides the run. Each view reads what concerns it.
struct ViewOptions {
    std::vector<double> input;                 ///< the chosen input, original units [n_features]; empty: test row `row`
    std::size_t         row = 0;
    MapQuantity         map_quantity = MapQuantity::predictive_entropy;
    int                 map_class = 1;
    int                 map_cells = 100;       ///< cells along each side
    std::optional<std::pair<Range, Range>> region;   ///< x and y shown; empty: maps: the data's range widened by 40 % on each side; bands: see shown_range
    std::size_t         weight = 0;            ///< flat index for the view of one weight
    double              prune_share = 0;       ///< weights view: share of smallest |μ|/σ set to zero
    int                 functions = 20;        ///< posterior function draws in the regression band
    int                 samples = 0;           ///< 0: the study's prediction.samples
};

/// One kind of picture that can be made of a run. Window, command line and report all go through this list.
struct View {
    std::string id;          ///< "decision_map", "boxplots", … (command line: --view)
    std::string title;       ///< "Decision map"
    std::string help;        ///< what it shows and how to read it; formula and source
    bool needs_input = false;             ///< follows the chosen input
    std::function<bool(const Experiment&)> applies;   ///< e.g. decision maps want two inputs and classes
    std::function<Chart(const RunMoment&, const ViewOptions&, std::stop_token)> make;   ///< pure; may take long: call on a worker
};

/// In the order of the window: decision_map, regression_band, boxplots, intervals, layers, layers_over_training, weights, signal_to_noise, one_weight,
/// prior_and_start, training_curves, certainty, confusion, calibration, scores.
const std::vector<View>& views();
const View& view(const std::string& id);   ///< @throws Error that lists the ids

/// Training curves of several runs over one another, and decision maps side by side on one colour scale.
Chart overlay_training_curves(std::span<const RunMoment> runs);
Chart compare_decision_maps(std::span<const RunMoment> runs, const ViewOptions& options, std::stop_token stop = {});

}  // namespace credence
