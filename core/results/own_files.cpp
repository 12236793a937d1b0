// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/own_files.h"

#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/json.h"
#include "runs/archive_parts.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fstream>

namespace credence {
namespace {

namespace fs = std::filesystem;

/// SQLite's header has the application id at byte 68.
bool is_own_archive(const fs::path& file)
{
    std::array<unsigned char, 72> head{};
    std::ifstream stream(file, std::ios::binary);
    if (!stream.read(reinterpret_cast<char*>(head.data()), head.size()))
        return false;
    const int id = head[68] << 24 | head[69] << 16 | head[70] << 8 | head[71];
    return std::string_view(reinterpret_cast<const char*>(head.data()), 15) == "SQLite format 3"
           && id == archive_format::application_id;
}

/// True for an object with the key that all Credence results have.
bool is_own_results(const fs::path& file)
{
    try {
        const auto json = parse_json(read_file(file, "results"), file.string(), "results");
        return json.is_object() && (json.contains("credence") || json.contains("bandit"));
    } catch (const Error&) {
        return false;
    }
}

bool is_own_folder(const fs::path& folder)
{
    std::error_code none;
    return is_own_results(folder / "results.json") || is_own_archive(folder / "run.credence")
           || fs::exists(folder / "run.credence-progress", none) || fs::is_directory(folder / "cells", none)
           || std::ranges::all_of(files_of_active.files,
                                  [&](const auto& name) { return fs::exists(folder / name, none); });
}

[[noreturn]] void refuse(const fs::path& file)
{
    throw Error(file.string()
                + ": Credence did not write this file. Move it, choose another folder with --out, or replace it with "
                  "--overwrite.");
}

}   // namespace

const WantedFiles files_of_run{
    {"study.json", "results.json", "times.json", "run.credence", "outputs.npz", "weights.npz"}, {"data", "figures"}};
const WantedFiles files_of_outputs{{"results.json", "times.json"}, {"data", "figures"}};
const WantedFiles files_of_sweep{{"sweep.json", "cells.csv", "times.csv", "summary.csv", "summary.tex",
                                  "comparisons.csv", "chosen.csv", "coverage.csv", "provenance.json"},
                                 {"cells", "figures"}};
const WantedFiles files_of_bandit{{"results.json", "times.csv", "regret.csv", "summary.csv"},
                                  {"courses", "course_times"}};
const WantedFiles files_of_active{{"labelling.csv", "queries.csv"}, {}};

void require_own_files(const fs::path& folder, const WantedFiles& wanted, bool overwrite, const fs::path& study_file)
{
    std::error_code none;
    if (!fs::is_directory(folder, none))
        return;
    for (const auto& name : wanted.folders)
        if (fs::exists(folder / name, none) && !fs::is_directory(folder / name, none))
            throw Error(
                (folder / name).string()
                + ": expected a folder or nothing, found a file. Move it, or choose another folder with --out.");
    for (const auto& name : wanted.files)
        if (fs::is_directory(folder / name, none))
            throw Error(
                (folder / name).string()
                + ": expected a file or nothing, found a folder. Move it, or choose another folder with --out.");
    if (overwrite)
        return;
    const bool own = is_own_folder(folder);
    for (const auto& name : wanted.files) {
        const auto file = folder / name;
        if (!fs::exists(file, none) || fs::equivalent(file, study_file, none))
            continue;
        if (!own || (name == "results.json" && !is_own_results(file))
            || (name == "run.credence" && !is_own_archive(file)))
            refuse(file);
    }
}

}   // namespace credence
