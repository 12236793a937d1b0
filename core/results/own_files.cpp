// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/own_files.h"

#include "bandits/active_learning.h"
#include "charts/figure_files.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/json.h"
#include "runs/archive_parts.h"
#include "runs/checkpoint_file.h"
#include "views/views.h"

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

/// True for an object with the key that all Credence results have, but not for a Study, which has it too.
/// Results of image runs describe their network; those of every run state why it stopped.
bool is_own_results(const fs::path& file)
{
    try {
        const auto json     = parse_json(read_file(file, "results"), file.string(), "results");
        const auto has      = [&](const char* key) { return json.contains(key); };
        const auto is_study = !has("stop") && (has("network") || has("posterior"));
        return json.is_object() && (has("bandit") || (has("credence") && !is_study));
    } catch (const Error&) {
        return false;
    }
}

/// The first bytes, which hold the marks of a figure.
std::string head_of(const fs::path& file)
{
    std::string head(1 << 16, '\0');
    std::ifstream stream(file, std::ios::binary);
    stream.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(stream.gcount()));
    return head;
}

bool is_own_folder(const fs::path& folder)
{
    std::error_code none;
    return is_own_results(folder / "results.json") || is_own_archive(folder / "run.credence") || has_checkpoint(folder)
           || fs::is_directory(folder / "cells", none) || fs::exists(folder / "double_well_numbers.csv", none)
           || std::ranges::all_of(files_of_active.files,
                                  [&](const auto& name) { return fs::exists(folder / name, none); });
}

/// Tables begin with the Study, its hash or the name of imported predictions in a comment; PDF, SVG and
/// PNG name the program in their metadata. Qt compresses this text in a PNG if it is long. Captions
/// have a first or a last line of their own.
bool is_own_figure(const fs::path& file)
{
    const std::string head = head_of(file);
    const auto starts      = [&](std::string_view words) { return head.find(words) == 2; };   // after # or %
    const auto has         = [&](std::string_view words) { return head.find(words) != std::string::npos; };
    return starts(study_begin_mark) || starts(study_hash_mark) || starts("Imported predictions: ")
           || head.starts_with(latex_caption_begin) || head.ends_with(text_caption_end) || has("CreatorTool>Credence ")
           || has("credence-build") || has("credence-study") || has("zTXtSoftware")
           || has(std::string_view("tEXtSoftware\0Credence ", 22));
}

/// Tables and figures of all views, relative to the folder of the run.
std::vector<std::string> files_of_views()
{
    std::vector<std::string> names;
    for (const auto& view : views()) {
        for (const char* suffix : {".csv", "_table.csv"})
            names.push_back("data/" + view.id + suffix);
        for (const char* suffix : {".pdf", ".svg", ".png", ".csv", ".tex"})
            names.push_back("figures/" + view.id + suffix);
    }
    return names;
}

/// The ids of the figures of active learning: the curves, and a map for each function.
std::vector<std::string> figures_of_active()
{
    std::vector<std::string> ids{"active_learning"};
    for (const auto function : all_acquisitions)
        ids.push_back("active_learning_map_" + name_of(function));
    return ids;
}

/// Refuses figures of the user, and the tables next to them. Such a table has no mark: it belongs to the
/// picture of the same name, or to a folder of ours.
void require_own_figures(const fs::path& folder, const std::string& id, bool own)
{
    std::error_code none;
    for (const char* suffix : {".pdf", ".svg", ".png"})
        if (const auto file = folder / (id + suffix); fs::is_regular_file(file, none)) {
            if (!is_own_figure(file))
                refuse_foreign_file(file);
            own = true;
        }
    for (const char* suffix : {".csv", ".tex"})
        if (const auto file = folder / (id + suffix); !own && fs::is_regular_file(file, none) && !is_own_figure(file))
            refuse_foreign_file(file);
}

}   // namespace

const WantedFiles files_of_run{{"study.json", "results.json", "times.json", "run.credence",
                                checkpoint_path("").string(), "outputs.npz", "weights.npz"},
                               {"data", "figures"},
                               true};
const WantedFiles files_of_outputs{{"results.json", "times.json"}, {"data", "figures"}, true};
const WantedFiles files_of_sweep{{"sweep.json", "cells.csv", "times.csv", "summary.csv", "summary.tex",
                                  "comparisons.csv", "chosen.csv", "coverage.csv", "provenance.json"},
                                 {"cells", "figures"}};
const WantedFiles files_of_bandit{{"results.json", "times.csv", "regret.csv", "summary.csv"},
                                  {"courses", "course_times"},
                                  false,
                                  {"bandit_regret", "bandit_eaten"}};
const WantedFiles files_of_active{{"labelling.csv", "queries.csv"}, {}, false, figures_of_active()};
const WantedFiles files_of_bridge{{"alpha.npy", "top_k.csv", "results.json", "times.json"}, {"figures"}, true};
const WantedFiles files_of_bridge_against_sampling{
    {}, {}, false, {"bridge_against_sampling", "bridge_against_sampling_numbers"}};
const WantedFiles files_of_double_well{{"states.csv"},
                                       {},
                                       false,
                                       {"double_well_walkers", "double_well_trace", "double_well_density",
                                        "double_well_numbers", "double_well_ratio", "double_well_seeds"}};
const WantedFiles files_of_comparison{
    {"distances.csv", "compare_truth.csv"}, {}, false, {"compare_distances", "compare_truth"}};

void refuse_foreign_file(const fs::path& file)
{
    throw Error(file.string()
                + ": Credence did not write this file. Move it, choose another folder with --out, or replace it with "
                  "--overwrite.");
}

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
    auto names     = wanted.files;
    if (wanted.views && !own)
        std::ranges::move(files_of_views(), std::back_inserter(names));
    for (const auto& name : names) {
        const auto file = folder / name;
        if (!fs::exists(file, none) || fs::equivalent(file, study_file, none)
            || (file.extension() == ".csv" && is_own_figure(file)))
            continue;
        if (!own || (name == "results.json" && !is_own_results(file))
            || (name == "run.credence" && !is_own_archive(file))
            || (file == checkpoint_path(folder) && !has_checkpoint(folder)))
            refuse_foreign_file(file);
    }
    for (const auto& id : wanted.figures)
        require_own_figures(folder, id, own);
}

void require_inputs_kept(const fs::path& folder, const WantedFiles& wanted, const fs::path& input,
                         const std::string& except)
{
    auto names = wanted.files;
    if (wanted.views)
        std::ranges::move(files_of_views(), std::back_inserter(names));
    for (const auto& name : names)
        if (name != except)
            require_other_file(folder / name, input);
}

void require_own_figure(const fs::path& file, bool overwrite)
{
    std::error_code none;
    if (fs::is_directory(file, none))
        throw Error(file.string() + ": expected a file or nothing, found a folder. Choose another name with --to.");
    if (overwrite || !fs::is_regular_file(file, none) || fs::file_size(file, none) == 0 || is_own_figure(file))
        return;
    throw Error(file.string()
                + ": Credence did not write this file. Choose another name with --to, or replace it with "
                  "--overwrite.");
}

void require_other_file(const fs::path& output, const fs::path& input)
{
    std::error_code none;
    if (fs::equivalent(output, input, none))
        throw Error(output.string() + ": this file is the input, expected another name for the output.");
}

}   // namespace credence
