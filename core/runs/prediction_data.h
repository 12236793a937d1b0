// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/archive.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace credence {

/// Returns the part of an experiment's data that a saved run stores, so that it predicts new rows
/// without its table: how columns are read, names, classes, the standardisation, the scale of the
/// target, and the rows set aside for calibration. It has no training and no test rows.
/// @return  null: the data are not from a table, or there are over 512 MB of calibration rows; the data
///          are then generated or opened again
std::shared_ptr<const SplitData> data_for_prediction(const Experiment& experiment);

/// These data as stored in an archive: a head, and the numbers of the calibration rows as doubles in
/// memory order (little endian).
nlohmann::json prediction_data_head(const SplitData& data);
std::string prediction_data_numbers(const SplitData& data);
/// @param numbers  reads the numbers, which have this many bytes; not called if there are none
/// @throws Error or nlohmann's exceptions for values that Credence does not write
std::shared_ptr<const SplitData> prediction_data_from(const nlohmann::json& head,
                                                      const std::function<std::string(std::size_t bytes)>& numbers);

/// Prepares a saved run for predictions at new rows, from the stored data if there are any. Its
/// experiment can predict, recalibrate and give conformal intervals, but has no rows to train on or
/// to score.
/// @return  null: stopped
/// @throws Error  if an older run stores no such data, and its table cannot be read or has changed
std::shared_ptr<const Experiment> experiment_for_prediction(const SavedRun& run, std::stop_token stop = {});

}   // namespace credence
