// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/regression_rows.h"
#include "views/scored_predictions.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace credence {

/// The predictions of a run for its scored rows with known true values: one of the two is null.
struct TestPredictions {
    std::shared_ptr<const ScoredPredictions> classes{};
    std::shared_ptr<const RegressionRows> numbers{};

    int n_samples() const { return classes ? classes->set.n_samples : numbers->n_samples; }
};

/// Rows of a numeric target that scores of a whole set use at most.
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

}   // namespace credence
