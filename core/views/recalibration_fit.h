// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "prediction/recalibration.h"
#include "runs/experiment.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace credence {

/// Predictions for the calibration rows before recalibration: the input of a fit.
struct CalibrationSamples {
    ClassSamples classes{};   ///< of a classification
    std::vector<int> labels{};
    RegressionSamples numbers{};   ///< of a regression, in target units
    std::vector<double> targets{};
    std::size_t n_rows = 0, n_all = 0;   ///< fewer than all if they would need too much memory, or if conformal
                                         ///< prediction has a half of them
};

/// The outputs (f, s) of one of several targets. @param outputs  [S × N × 2 T]
OutputSamples outputs_of_target(const OutputSamples& outputs, std::size_t target);

/// @return  empty: `stop` was requested
/// @throws Error (field "prediction.recalibration") if there are no calibration rows
std::optional<CalibrationSamples> calibration_samples(const RunSnapshot& run, const std::stop_token& stop);

/// Fits the recalibration of the run's Study without using the cache.
Recalibration fit_recalibration(RecalibrationKind kind, const CalibrationSamples& samples);

/// Returns the recalibration of the run's Study at this snapshot, fitted to the samples of
/// prediction.samples. The last few are cached, so that all views and scores of a snapshot share
/// one fit. The targets of a run with several share one set of samples. Imported predictions have
/// no recalibration.
/// @return  null: `stop` was requested
/// @throws Error (field "prediction.recalibration") if it does not fit the data
std::shared_ptr<const Recalibration> recalibration_of(const RunSnapshot& run, const std::stop_token& stop);
/// recalibration_of as a source for PosteriorPredictive. Empty: the Study has none.
RecalibrationSource recalibration_source(const RunSnapshot& run);

/// "temperature T = 1.8", "σ × 1.12".
std::string recalibration_text(const Recalibration& recalibration);

}   // namespace credence
