// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/archive.h"

#include <nlohmann/json_fwd.hpp>

namespace credence {

// JSON of the contents of a run. Empty optionals are omitted; numbers that are not finite are
// "inf", "-inf" or "nan", so that they are restored exactly.
// Wall times are stored in a separate part, so that two runs of one Study are otherwise identical.
// Readers throw Error or nlohmann's exceptions for values that Credence does not write.

nlohmann::json number_to_json(double value);
double number_from(const nlohmann::json& json);   ///< null (older files) is NaN
long whole_from(const nlohmann::json& json, long least, long most);

nlohmann::json point_to_json(const TrainingPoint& point);
TrainingPoint point_from(const nlohmann::json& json);

nlohmann::json layout_to_json(const ParameterLayout& layout);
/// Reads a valid network layout with at most `most_weights` weights: offsets and sizes are
/// consistent.
ParameterLayout layout_from(const nlohmann::json& json);

nlohmann::json report_to_json(const TrainingReport& report);
TrainingReport report_from(const nlohmann::json& json);

nlohmann::json score_to_json(const FinalScore& score);
FinalScore score_from(const nlohmann::json& json);

/// The wall times of a run: its start, its duration, and the time of each recorded step.
struct RunTimes {
    std::string started;
    double seconds = 0;
    std::vector<double> history, snapshots;
};
nlohmann::json times_to_json(const SavedRun& run);
RunTimes times_from(const nlohmann::json& json);

}   // namespace credence
