// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/text.h"
#include "gallery/gallery.h"

#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/json.h"
#include "foundation/number_text.h"
#include "results/times_file.h"
#include "runs/provenance.h"
#include "study/fields.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace credence {
namespace {

namespace fs = std::filesystem;

Provenance provenance_of_results(const fs::path& file)
{
    const auto json  = parse_json(read_file(file, "results of a run"), file.string(), "results of a run");
    const auto found = json.is_object() ? json.find("provenance") : json.end();
    if (!json.is_object() || found == json.end())
        throw Error(file.string() + ": found no provenance, expected that of a run.");
    try {
        return provenance_from(*found);
    } catch (const Error& error) {
        throw Error(file.string() + ": " + error.what() + '.');
    }
}

/// "42 seconds", "3.5 minutes", "2.1 hours"
std::string duration_text(double seconds)
{
    if (seconds < 90)
        return fixed_text(std::max(1.0, seconds), 0) + (seconds < 1.5 ? " second" : " seconds");
    return seconds < 5400 ? fixed_text(seconds / 60, 1) + " minutes" : fixed_text(seconds / 3600, 1) + " hours";
}

/// A number as a JSON number, any other value as text.
nlohmann::ordered_json value_of(const std::string& text)
{
    auto value = nlohmann::ordered_json::parse(text, nullptr, false);
    return value.is_number() ? value : nlohmann::ordered_json(text);
}

}   // namespace

OurRuns recorded_runs(const std::vector<fs::path>& folders, std::optional<double> processor_seconds)
{
    if (folders.empty())
        throw Error("found no finished run, expected at least one.");
    std::set<std::uint64_t> seeds;
    std::set<std::string> commits;
    OurRuns runs;
    double trained = 0;
    std::vector<Study> studies;
    for (const auto& folder : folders) {
        const Study study     = load_study(folder / "study.json");
        const auto provenance = provenance_of_results(folder / "results.json");
        const auto times      = read_times(folder);
        seeds.insert(study.seed);
        commits.insert(provenance.build.commit.empty() ? "unknown" : provenance.build.commit);
        runs.hashes.push_back(provenance.study_hash);
        runs.date = std::max(runs.date, times.started.substr(0, 10));
        trained += times.seconds.value_or(0);
        studies.push_back(study);
    }
    for (const auto seed : seeds)
        runs.seeds += (runs.seeds.empty() ? "" : ", ") + std::to_string(seed);
    runs.commit             = joined(commits);
    const std::string count = folders.size() == 1 ? "" : " for " + std::to_string(folders.size()) + " runs";
    if (processor_seconds)
        runs.time = duration_text(*processor_seconds) + " of processor time" + count;
    else
        runs.time = trained > 0 ? duration_text(trained) + " of training (wall time)" + count : "time not recorded";
    for (const char* path : recorded_settings) {
        std::set<std::string> values;
        for (const auto& study : studies)
            if (field(path).applies(study))
                values.insert(value_text(field(path).get(study)));
        if (values.size() == 1)
            runs.study.push_back(path + ("=" + *values.begin()));
    }
    return runs;
}

std::string recorded_text(const GalleryEntry& entry, const OurRuns& runs, const std::vector<std::string>& measured)
{
    using nlohmann::ordered_json;
    ordered_json ours{{"seeds", runs.seeds}, {"date", runs.date},     {"commit", runs.commit},
                      {"time", runs.time},   {"hashes", runs.hashes}, {"study", ordered_json::object()}};
    for (const auto& assignment : runs.study) {
        const auto equals                           = assignment.find('=');
        ours["study"][assignment.substr(0, equals)] = value_of(assignment.substr(equals + 1));
    }
    ordered_json values = ordered_json::array();
    for (std::size_t i = 0; i < entry.values.size(); ++i)
        if (i < measured.size() && !measured[i].empty())
            values.push_back({{"name", entry.values[i].name}, {"ours", measured[i]}});
    const ordered_json all{{"id", entry.id}, {"ours", ours}, {"values", values}};
    return all.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

std::vector<fs::path> folders_of(const GalleryEntry& entry, const SweepResults& results, const SweepFolder& folder)
{
    std::vector<fs::path> folders;
    for (std::size_t i = 0; i < results.cells.size(); ++i)
        if (results.states[i].state == CellState::done && names_cell(entry, results.sweep, results.cells[i]))
            folders.push_back(folder.cell(results.cells[i].hash));
    return folders;
}

}   // namespace credence
