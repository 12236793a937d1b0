// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/sample_set.h"
#include "posterior/variational_family.h"
#include "runs/archive.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

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

/// Returns the data that the archive stores about a posterior in addition to its numbers: for a set
/// of draws, their number and origin. Null if the Study determines it: parameters of its family, or
/// θ_MAP of a Laplace approximation, whose curvature is a separate part.
nlohmann::json posterior_head(const Posterior& posterior);
/// Returns the origin of the draws of a set with this head. @throws Error or nlohmann's exceptions
/// for an invalid head
SampleOrigin origin_from(const nlohmann::json& head);

/// Refuses numbers that are not finite. @throws Error
void require_finite_numbers(std::span<const float> numbers);
/// Refuses a size other than that of the family's parameters. @throws Error
void require_parameter_bytes(const VariationalFamily<float>& family, std::int64_t bytes);

/// Returns the posterior of the Study's family with these bytes as its parameters, as in memory
/// (little endian). @throws Error if sizes do not match or a number is not finite
std::shared_ptr<const Posterior> parameters_from(const std::string& bytes, const VariationalFamily<float>& family);

}   // namespace credence
