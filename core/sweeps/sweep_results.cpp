// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweeps/sweep_results.h"

#include "foundation/error.h"
#include "foundation/json_text.h"
#include "foundation/read_file.h"
#include "results/times_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace credence {
namespace {

using ResultsJson = nlohmann::ordered_json;

void add_cell_scores(const ResultsJson& json, const char* key, bool validation, CellScores& scores)
{
    if (!json.contains(key))
        return;
    for (const auto& row : json.at(key)) {
        if (row.at("score").get<std::string>().starts_with("Baseline"))   // describes the data, not the run
            continue;
        const auto& value = row.at("value");
        scores.scores.emplace_back(
            ScoreName{validation, row.at("score").get<std::string>(), row.at("unit").get<std::string>()},
            value.is_number() ? std::optional(value.get<double>()) : std::nullopt);
    }
}

std::optional<double> number_at(const ResultsJson& json, const char* key)
{
    return json.contains(key) && json.at(key).is_number() ? std::optional(json.at(key).get<double>()) : std::nullopt;
}

}   // namespace

std::string ScoreName::column() const { return (validation ? "validation " : "test ") + name; }

std::optional<double> CellScores::value(const ScoreName& score) const
{
    for (const auto& [name, value] : scores)
        if (name.validation == score.validation && name.name == score.name)
            return value;
    return {};
}

CellScores read_cell_scores(const std::filesystem::path& results_json)
{
    const auto json = parse_json<ResultsJson>(read_file(results_json, "results of a run"), results_json.string(),
                                              "results of a run");
    try {
        CellScores scores;
        add_cell_scores(json, "scores", false, scores);
        add_cell_scores(json, "validation_scores", true, scores);
        if (json.contains("no_scores"))
            scores.no_scores = json.at("no_scores").get<std::string>();
        if (json.contains("layers"))
            for (const auto& layer : json.at("layers"))
                scores.layers.push_back({layer.at("block").get<std::string>(), number_at(layer, "tau"),
                                         number_at(layer, "rho"), number_at(layer, "dropout_rate"),
                                         number_at(layer, "median_relative_sd")});
        scores.steps          = json.at("steps").get<long>();
        scores.seconds        = read_times(results_json.parent_path()).seconds;
        scores.loss_roughness = number_at(json, "loss_roughness");
        return scores;
    } catch (const nlohmann::json::exception&) {
        throw Error(results_json.string()
                    + ": found no \"scores\" and \"steps\" of a run, expected results of a cell.");
    }
}

std::size_t SweepResults::n_done() const
{
    return static_cast<std::size_t>(
        std::count_if(scores.begin(), scores.end(), [](const auto& one) { return one.has_value(); }));
}

SweepResults collect_sweep(const Sweep& sweep, std::vector<SweepCell> cells, const SweepFolder& folder)
{
    SweepResults results{.sweep = sweep, .cells = std::move(cells), .scores = {}, .states = {}};
    for (const auto& cell : results.cells) {
        auto status = folder.status(cell.hash);
        std::optional<CellScores> scores;
        if (status.state == CellState::done)
            scores = read_cell_scores(folder.cell(cell.hash) / "results.json");
        results.scores.push_back(std::move(scores));
        results.states.push_back(std::move(status));
    }
    return results;
}

std::vector<ScoreName> score_names(const SweepResults& results)
{
    std::vector<ScoreName> names;
    for (const bool validation : {false, true})
        for (const auto& scores : results.scores)
            if (scores)
                for (const auto& [name, value] : scores->scores)
                    if (name.validation == validation && std::find(names.begin(), names.end(), name) == names.end())
                        names.push_back(name);
    return names;
}

std::vector<SweepCombination> combinations_of(const SweepResults& results)
{
    std::vector<SweepCombination> combinations;
    const auto& axes = results.sweep.axes;
    for (const auto& cell : results.cells) {
        auto at = cell.at;
        std::string words;
        for (std::size_t i = 0; i < axes.size(); ++i)
            if (results.sweep.is_replicate(axes[i]))
                at[i] = 0;
            else if (axes[i].values.size() > 1)
                words += (words.empty() ? "" : ", ") + axes[i].values[at[i]].label;
        const auto found = std::find_if(combinations.begin(), combinations.end(),
                                        [&](const SweepCombination& one) { return one.at == at; });
        if (found == combinations.end())
            combinations.push_back({std::move(at), {cell.index}, std::move(words)});
        else
            found->cells.push_back(cell.index);
    }
    return combinations;
}

}   // namespace credence
