// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/build_info.h"
#include "foundation/error.h"
#include "foundation/hashes.h"
#include "runs/experiment.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <utility>
#include <vector>

namespace credence {

/// The program that computed a result, and its inputs. Two runs of one Study by one build have the
/// same provenance.
struct Provenance {
    Build build;
    std::vector<Build> earlier_builds;   ///< builds that computed the first steps of a resumed run; usually none
    std::string study_hash, data_hash;   ///< 16 and 32 hexadecimal digits

    bool operator==(const Provenance&) const = default;
};

/// Returns 16 hex digits of a hash (FNV-1a, 64 bits) of the Study's text without name and note:
/// Studies with the same hash are the same run.
std::string study_hash(const Study& study);
/// Returns a hash of the training rows and all test rows, in the order of use.
StateHash hash_of_data(const SplitData& data);

/// Returns the provenance of results computed by this program.
Provenance provenance_of(const Experiment& experiment);

nlohmann::ordered_json build_to_json(const Build& build);
nlohmann::ordered_json provenance_to_json(const Provenance& provenance);
/// @throws Error  "it has no readable provenance"
Provenance provenance_from(const nlohmann::json& json);

/// Thrown for a result of another build, which is continued only on request.
class OtherBuild : public Error {
public:
    OtherBuild(Build other, const std::string& sentence) : Error(sentence), build(std::move(other)) {}
    const Build build;   ///< the other one
};

}   // namespace credence
