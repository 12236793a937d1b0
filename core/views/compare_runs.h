// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/regression_rows.h"
#include "views/scored_predictions.h"
#include "views/training_curves.h"
#include "views/views.h"

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace credence {

/// The predictions of a run for its scored rows with known true values: one of the two is null.
struct TestPredictions {
    std::shared_ptr<const ScoredPredictions> classes{};
    std::shared_ptr<const RegressionRows> numbers{};

    int n_samples() const { return classes ? classes->set.n_samples : numbers->n_samples; }
};

/// Maximum number of rows of a numeric target used by scores of a whole set.
inline constexpr std::size_t most_calibration_rows = 5000;

/// @return  empty: stopped
std::optional<TestPredictions> predictions_of(const RunSnapshot& run, const ViewOptions& options,
                                              const std::stop_token& stop);

/// The predictions of several runs for the same rows, to be drawn in one figure.
struct PredictionsOfRuns {
    std::vector<std::string> names{};
    std::vector<TestPredictions> runs{};
    std::string caption{};   ///< rows and settings of the runs
    std::string message{};   ///< if not empty: why they do not fit in one figure
};
/// @return  empty: stopped
std::optional<PredictionsOfRuns> predictions_of_runs(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                                     const std::stop_token& stop);

/// Draws the sampled outputs of several runs at the selected input, one panel per run, on one
/// scale. Runs on data with a different number of inputs are omitted, and so are imported
/// predictions with different rows; the caption lists them.
/// @param options  `input`, in original units; empty: row `row` of each run's own test set
/// @return  empty if `stop` was requested
std::optional<Chart> compare_boxplots(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                      std::stop_token stop = {});

/// Compares several runs with the reference posterior: the first NUTS run among them, otherwise the
/// first HMC run. One row per run. The first row compares the two halves of the reference chains:
/// the Monte Carlo noise floor. The other rows are sorted by their distance over the map or along
/// x.
/// For two inputs, the panels are maps of the distance; for one input and a numeric target, they
/// are the bands. There is one panel per run, on one scale. Without a chain run, or with different
/// data, the chart is a message.
/// @return  empty if `stop` was requested
/// @throws Error if the chains do not have enough draws yet
std::optional<Chart> compare_reference(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                       std::stop_token stop = {});

/// Follows the name of a run in the caption of compare_reference if its model differs from that of
/// the reference.
inline constexpr std::string_view other_model_words = " has a different network or prior";

/// The distances in the table of compare_reference as horizontal bars, nearest first. A grey band reaches from 0 to the
/// distance between the halves of the reference chains.
Chart distance_ranking(const Chart& compared);

TrainingCurves training_curves_of(const RunSnapshot& run);

/// Returns the curves of several runs with distinct names, or the reason why they cannot share a
/// panel.
std::variant<std::vector<TrainingCurves>, std::string> curves_of_runs(std::span<const RunSnapshot> runs);

/// "… Name: setting. Name: setting." for the caption.
std::string settings_of_runs(std::span<const RunSnapshot> runs);

}   // namespace credence
