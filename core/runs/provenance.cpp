// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/provenance.h"

#include "foundation/hashes.h"
#include "runs/archive_parts.h"

#include <nlohmann/json.hpp>

namespace credence {
namespace {

template <class T>
StateHash hash_of_numbers(const std::vector<T>& numbers)
{
    return hash_of({reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)});
}

Build build_from(const nlohmann::json& json)
{
    const auto text = [&](const char* key) { return json.at(key).get<std::string>(); };
    return {text("version"), json.value("commit", std::string()), text("instruction_set"), text("compiler")};
}

}   // namespace

std::string study_hash(const Study& study)
{
    Study settings = study;
    settings.name.clear();
    settings.note.clear();
    return text_hash(to_text(settings));
}

StateHash hash_of_data(const SplitData& data)
{
    const StateHash hashes[] = {hash_of(bytes_of(data.training_inputs)),   hash_of(bytes_of(data.training_targets)),
                                hash_of_numbers(data.training.labels),     hash_of(bytes_of(data.test_inputs)),
                                hash_of(bytes_of(data.test_targets)),      hash_of_numbers(data.test.labels),
                                hash_of(bytes_of(data.final_test_inputs)), hash_of_numbers(data.final_test.labels)};
    const StateHash parts    = hash_of({reinterpret_cast<const char*>(hashes), sizeof hashes});
    if (data.calibration.n_rows == 0)
        return parts;
    const StateHash with_calibration[] = {parts, hash_of(bytes_of(data.calibration_inputs)),
                                          hash_of(bytes_of(data.calibration_targets)),
                                          hash_of_numbers(data.calibration.labels)};
    return hash_of({reinterpret_cast<const char*>(with_calibration), sizeof with_calibration});
}

Provenance provenance_of(const Experiment& experiment)
{
    const StateHash data = hash_of_data(*experiment.data_at_start());
    return {this_build(), {}, study_hash(experiment.study), hex_digits(data.a) + hex_digits(data.b)};
}

nlohmann::ordered_json build_to_json(const Build& build)
{
    nlohmann::ordered_json json{{"version", build.version}};
    if (!build.commit.empty())
        json["commit"] = build.commit;
    json["instruction_set"] = build.instruction_set;
    json["compiler"]        = build.compiler;
    return json;
}

nlohmann::ordered_json provenance_to_json(const Provenance& provenance)
{
    auto json          = build_to_json(provenance.build);
    json["study_hash"] = provenance.study_hash;
    json["data_hash"]  = provenance.data_hash;
    for (const auto& build : provenance.earlier_builds)
        json["earlier_builds"].push_back(build_to_json(build));
    return json;
}

Provenance provenance_from(const nlohmann::json& json)
{
    try {
        Provenance provenance{
            build_from(json), {}, json.at("study_hash").get<std::string>(), json.at("data_hash").get<std::string>()};
        if (const auto earlier = json.find("earlier_builds"); earlier != json.end())
            for (const auto& build : *earlier)
                provenance.earlier_builds.push_back(build_from(build));
        return provenance;
    } catch (const nlohmann::json::exception&) {
        throw Error("it has no readable provenance");
    }
}

}   // namespace credence
