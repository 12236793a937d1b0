// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/build_info.h"
#include "foundation/error.h"
#include "foundation/state_bytes.h"
#include "runs/experiment.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <utility>
#include <vector>

namespace credence {

/// Which program computed a result, and from what. Nothing in it changes between two runs of one Study by one build.
struct Provenance {
    Build build;
    std::vector<Build> earlier_builds;   ///< builds that computed the first steps of a resumed run; mostly none
    std::string study_hash, data_hash;   ///< 16 and 32 hexadecimal digits

    bool operator==(const Provenance&) const = default;
};

/// 16 hex digits of a hash (FNV-1a, 64 bits) of the Study's text without name and note: Studies with the same hash are the same run.
std::string study_hash(const Study& study);
/// A hash of the training rows and all test rows, in the order in which they are used.
StateHash hash_of_data(const SplitData& data);

/// Returns the provenance of what this program computes now.
Provenance provenance_of(const Experiment& experiment);

nlohmann::ordered_json build_to_json(const Build& build);
nlohmann::ordered_json provenance_to_json(const Provenance& provenance);
/// @throws Error  "it has no readable provenance"
Provenance provenance_from(const nlohmann::json& json);

/// A result by another build, which this program continues only if it is asked to.
class OtherBuild : public Error {
public:
    OtherBuild(Build other, const std::string& sentence) : Error(sentence), build(std::move(other)) {}
    const Build build;   ///< the other one
};

}   // namespace credence
