// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/archive.h"

#include <nlohmann/json_fwd.hpp>

namespace credence {

// JSON of what a run consists of. Empty optionals are left out; a number that is not finite is "inf", "-inf" or "nan", so that it comes back as what it was.
// Wall times stand in none of it: they are kept in a part of their own, so that two runs of one Study differ in nothing else.
// Readers throw Error or nlohmann's exceptions where a value is not one that was written.

nlohmann::json number_to_json(double value);
double number_from(const nlohmann::json& json);   ///< null, of older files, is NaN
long whole_from(const nlohmann::json& json, long least, long most);

nlohmann::json point_to_json(const TrainingPoint& point);
TrainingPoint point_from(const nlohmann::json& json);

nlohmann::json layout_to_json(const ParameterLayout& layout);
/// A layout that a net can have, at most `most_weights` large: begins and sizes follow from one another.
ParameterLayout layout_from(const nlohmann::json& json);

nlohmann::json report_to_json(const TrainingReport& report);
TrainingReport report_from(const nlohmann::json& json);

nlohmann::json score_to_json(const FinalScore& score);
FinalScore score_from(const nlohmann::json& json);

/// The wall times of a run: when it began, how long it took, and when each recorded step was done.
struct RunTimes {
    std::string started;
    double seconds = 0;
    std::vector<double> history, snapshots;
};
nlohmann::json times_to_json(const KeptRun& run);
RunTimes times_from(const nlohmann::json& json);

}   // namespace credence
