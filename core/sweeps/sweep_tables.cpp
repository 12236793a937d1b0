// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/files.h"
#include "foundation/number_text.h"
#include "sweeps/sweep_results.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>

namespace credence {
namespace {

constexpr auto count_score = "Inputs";   // number of scored rows, not a score

std::string capitalised(std::string word)
{
    word.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(word.front())));
    return word;
}

/// True for a linear function of another score, which would repeat every comparison.
bool repeats_another(const std::string& score)
{
    return score == "Accuracy" || score.starts_with("Log likelihood") || score == "Brier score, mean over classes";
}

Cell cell_or_nothing(const std::optional<double>& value) { return value ? Cell(*value) : Cell(std::string()); }

void add_axes(const Sweep& sweep, bool with_seed, std::vector<Column>& columns)
{
    for (const auto& axis : sweep.axes)
        if (with_seed || !sweep.is_replicate(axis))
            columns.push_back({axis.name, {}});
}

void add_values(const Sweep& sweep, const std::vector<std::size_t>& at, bool with_seed, std::vector<Cell>& row)
{
    for (std::size_t i = 0; i < sweep.axes.size(); ++i)
        if (with_seed || !sweep.is_replicate(sweep.axes[i]))
            row.emplace_back(sweep.axes[i].values[at[i]].label);
}

/// Names of blocks that have this number in any cell, in the order of first occurrence.
std::vector<std::string> blocks_with(const SweepResults& results, std::optional<double> CellLayer::*number)
{
    std::vector<std::string> blocks;
    for (const auto& scores : results.scores)
        if (scores)
            for (const auto& layer : scores->layers)
                if (layer.*number && std::find(blocks.begin(), blocks.end(), layer.block) == blocks.end())
                    blocks.push_back(layer.block);
    return blocks;
}

std::optional<double> layer_number(const CellScores& scores, const std::string& block,
                                   std::optional<double> CellLayer::*number)
{
    for (const auto& layer : scores.layers)
        if (layer.block == block)
            return layer.*number;
    return {};
}

long n_done_of(const SweepResults& results, const SweepCombination& combination)
{
    return std::count_if(combination.cells.begin(), combination.cells.end(),
                         [&](std::size_t cell) { return results.scores[cell].has_value(); });
}

/// True if some finished cells of a combination have this score and others do not: without errors,
/// for example, there is no AUROC.
bool is_incomplete(const SweepResults& results, const ScoreName& score)
{
    return std::ranges::any_of(combinations_of(results), [&](const SweepCombination& combination) {
        const auto n = static_cast<long>(over_seeds(results, combination, score).n);
        return n > 0 && n < n_done_of(results, combination);
    });
}

/// "0.123 ± 0.004", with decimals up to the second digit of the standard deviation; "0.1234" for
/// one seed; "0.12 ± 0.04 (2 of 3)" if only two of three finished cells have the score.
std::string mean_and_sd_text(const SeedSummary& summary, long n_done)
{
    if (!summary.mean)
        return "";
    const std::string some    = static_cast<long>(summary.n) < n_done
                                    ? " (" + std::to_string(summary.n) + " of " + std::to_string(n_done) + ")"
                                    : std::string();
    constexpr double rounding = 1e-12;
    if (!summary.sd || !(*summary.sd > rounding * std::fabs(*summary.mean)))
        return number_text(*summary.mean, 4) + (summary.sd ? " ± 0" : "") + some;
    const int decimals = std::clamp(1 - static_cast<int>(std::floor(std::log10(*summary.sd))), 0, 8);
    return fixed_text(*summary.mean, decimals) + " ± " + fixed_text(*summary.sd, decimals) + some;
}

/// The scores of a short table that exist.
std::vector<ScoreName> main_scores(const SweepResults& results)
{
    std::vector<ScoreName> chosen;
    const auto names = score_names(results);
    for (const bool validation : {true, false})
        for (const char* wanted : {"Error", "RMSE", "NLL", "CRPS", "Expected calibration error", "Coverage"}) {
            const auto found = std::find_if(names.begin(), names.end(), [&](const ScoreName& name) {
                return name.validation == validation && name.name.starts_with(wanted);
            });
            if (found != names.end() && (!validation || chosen.size() < 2))
                chosen.push_back(*found);
        }
    return chosen;
}

/// True if tables have standard errors in addition to standard deviations: for splits, as papers print.
bool has_errors(const Sweep& sweep) { return sweep.replicates != "seed"; }

/// Adds mean and sd of some scores, two columns each, the standard error over splits, and the number
/// of replicates of scores that some do not have.
void add_summaries(const SweepResults& results, const SweepCombination& combination,
                   const std::vector<ScoreName>& scores, std::vector<Cell>& row)
{
    for (const auto& score : scores) {
        const auto summary = over_seeds(results, combination, score);
        row.push_back(cell_or_nothing(summary.mean));
        row.push_back(cell_or_nothing(summary.sd));
        if (has_errors(results.sweep))
            row.push_back(
                cell_or_nothing(summary.sd ? std::optional(*summary.sd / std::sqrt(summary.n)) : std::nullopt));
        if (is_incomplete(results, score))
            row.emplace_back(static_cast<long>(summary.n));
    }
}

void add_summary_columns(const SweepResults& results, const std::vector<ScoreName>& scores,
                         std::vector<Column>& columns)
{
    for (const auto& score : scores) {
        columns.push_back({score.column() + ", mean", score.unit});
        columns.push_back({score.column() + ", sd", score.unit});
        if (has_errors(results.sweep))
            columns.push_back({score.column() + ", standard error", score.unit});
        if (is_incomplete(results, score))
            columns.push_back({score.column() + ", " + results.sweep.replicate_word(), {}});
    }
}

}   // namespace

std::vector<ScoreName> summarised_scores(const SweepResults& results)
{
    auto names = score_names(results);
    std::erase_if(names, [](const ScoreName& name) { return name.name == count_score; });
    return names;
}

Table cells_table(const SweepResults& results)
{
    Table table;
    add_axes(results.sweep, true, table.columns);
    table.columns.push_back({"cell", {}});
    table.columns.push_back({"steps", {}});
    const auto names = score_names(results);
    for (const auto& name : names)
        table.columns.push_back({name.column(), name.unit});
    const std::pair<const char*, std::optional<double> CellLayer::*> numbers[] = {{"tau", &CellLayer::tau},
                                                                                  {"rho", &CellLayer::rho}};
    for (const auto& [title, number] : numbers)
        for (const auto& block : blocks_with(results, number))
            table.columns.push_back({std::string(title) + " of " + block, {}});
    const bool rough = std::any_of(results.scores.begin(), results.scores.end(),
                                   [](const auto& cell) { return cell && cell->loss_roughness; });
    if (rough)
        table.columns.push_back({"loss roughness", {}});
    for (std::size_t i = 0; i < results.cells.size(); ++i) {
        if (!results.scores[i])
            continue;
        const auto& scores = *results.scores[i];
        std::vector<Cell> row;
        add_values(results.sweep, results.cells[i].at, true, row);
        row.emplace_back(results.cells[i].hash);
        row.emplace_back(scores.steps);
        for (const auto& name : names)
            row.push_back(cell_or_nothing(scores.value(name)));
        for (const auto& [title, number] : numbers)
            for (const auto& block : blocks_with(results, number))
                row.push_back(cell_or_nothing(layer_number(scores, block, number)));
        if (rough)
            row.push_back(cell_or_nothing(scores.loss_roughness));
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table times_table(const SweepResults& results)
{
    Table table;
    add_axes(results.sweep, true, table.columns);
    for (const char* name : {"cell", "state", "steps"})
        table.columns.push_back({name, {}});
    table.columns.push_back({"training", "s"});
    for (std::size_t i = 0; i < results.cells.size(); ++i) {
        std::vector<Cell> row;
        add_values(results.sweep, results.cells[i].at, true, row);
        row.emplace_back(results.cells[i].hash);
        row.emplace_back(name_of(results.states[i].state));
        const auto& scores = results.scores[i];
        row.push_back(scores ? Cell(scores->steps) : Cell(std::string()));
        row.push_back(scores && scores->seconds ? Cell(*scores->seconds) : Cell(std::string()));
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table summary_table(const SweepResults& results)
{
    Table table;
    add_axes(results.sweep, false, table.columns);
    table.columns.push_back({results.sweep.replicate_word(), {}});
    const auto scores = summarised_scores(results);
    add_summary_columns(results, scores, table.columns);
    for (const auto& combination : combinations_of(results)) {
        std::vector<Cell> row;
        add_values(results.sweep, combination.at, false, row);
        row.emplace_back(n_done_of(results, combination));
        add_summaries(results, combination, scores, row);
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table short_summary(const SweepResults& results)
{
    Table table;
    const auto& axes = results.sweep.axes;
    const auto shown = [&](const SweepAxis& axis) {
        return !results.sweep.is_replicate(axis) && axis.values.size() > 1;
    };
    for (const auto& axis : axes)
        if (shown(axis))
            table.columns.push_back({axis.title(), {}});
    table.columns.push_back({capitalised(results.sweep.replicate_word()), {}});
    const auto scores = main_scores(results);
    for (const auto& score : scores)
        table.columns.push_back({score.column(), score.unit});
    for (const auto& combination : combinations_of(results)) {
        std::vector<Cell> row;
        for (std::size_t i = 0; i < axes.size(); ++i)
            if (shown(axes[i]))
                row.emplace_back(axes[i].values[combination.at[i]].label);
        row.emplace_back(n_done_of(results, combination));
        for (const auto& score : scores)
            row.emplace_back(
                mean_and_sd_text(over_seeds(results, combination, score), n_done_of(results, combination)));
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table comparisons_table(const SweepResults& results)
{
    Table table{.columns = {{"axis", {}},
                            {"A", {}},
                            {"B", {}},
                            {"others", {}},
                            {"set", {}},
                            {"score", {}},
                            {"unit", {}},
                            {results.sweep.replicate_word(), {}},
                            {"mean of A - B", {}},
                            {"standard error", {}},
                            {"half-width of the 95 % interval", {}},
                            {"P(A better than B)", {}},
                            {"p", {}},
                            {"comparisons under this score", {}},
                            {"p, Holm-adjusted", {}},
                            {"difference detectable with 80 % power", {}}},
                .rows    = {}};
    for (const auto& one : comparisons_of(results))
        if (!repeats_another(one.score.name))
            table.rows.push_back({one.axis, one.a, one.b, one.others, one.score.validation ? "validation" : "test",
                                  one.score.name, one.score.unit, static_cast<long>(one.difference.n_a),
                                  cell_or_nothing(one.difference.mean), cell_or_nothing(one.difference.standard_error),
                                  cell_or_nothing(one.difference.half_width), cell_or_nothing(one.a_better),
                                  cell_or_nothing(one.difference.p_value), static_cast<long>(one.n_compared),
                                  cell_or_nothing(one.p_holm), cell_or_nothing(one.difference.detectable())});
    return table;
}

namespace {

/// "0.1", or for a choice at each replicate how often each value was chosen: "0.1 (14), 1 (6)".
std::string chosen_words(const SweepResults& results, const SweepCombination& chosen, std::size_t axis)
{
    const auto& values = results.sweep.axes[axis].values;
    if (!results.sweep.choose->each_replicate)
        return values[chosen.at[axis]].label;
    std::string words;
    for (std::size_t value = 0; value < values.size(); ++value)
        if (const auto n = std::ranges::count_if(
                chosen.cells, [&](std::size_t cell) { return results.cells[cell].at[axis] == value; });
            n > 0)
            words += (words.empty() ? "" : ", ") + values[value].label + " (" + std::to_string(n) + ")";
    return words;
}

/// One row per choice: the other axes, then the columns of the chosen combination, filled in by `add`.
Table table_of_choices(const SweepResults& results, bool titles, std::vector<Column> more,
                       const std::function<void(const SweepCombination& chosen, std::vector<Cell>& row)>& add)
{
    const auto& axes = results.sweep.axes;
    const auto stays = [&](const SweepAxis& axis) {
        return axis.name != results.sweep.choose->axis && !results.sweep.is_replicate(axis)
               && (!titles || axis.values.size() > 1);
    };
    Table table;
    std::string chosen_name;
    for (const auto& axis : axes) {
        const std::string name = titles ? axis.title() : axis.name;
        if (stays(axis))
            table.columns.push_back({name, {}});
        else if (axis.name == results.sweep.choose->axis)
            chosen_name = name;
    }
    table.columns.push_back({(titles ? "Chosen " : "chosen ") + chosen_name, {}});
    const auto replicates = results.sweep.replicate_word();
    table.columns.push_back({titles ? capitalised(replicates) : replicates, {}});
    table.columns.insert(table.columns.end(), more.begin(), more.end());
    for (const auto& choice : choices_of(results)) {
        std::vector<Cell> row;
        for (std::size_t i = 0; i < axes.size(); ++i)
            if (stays(axes[i]))
                row.emplace_back(axes[i].values[choice.at[i]].label);
        if (choice.chosen) {
            for (std::size_t i = 0; i < axes.size(); ++i)
                if (axes[i].name == results.sweep.choose->axis)
                    row.emplace_back(chosen_words(results, *choice.chosen, i));
            row.emplace_back(n_done_of(results, *choice.chosen));
            add(*choice.chosen, row);
        } else
            row.resize(table.columns.size(), std::string());
        table.rows.push_back(std::move(row));
    }
    return table;
}

}   // namespace

std::optional<Table> chosen_table(const SweepResults& results)
{
    if (!results.sweep.choose)
        return {};
    const auto scores = summarised_scores(results);
    std::vector<Column> columns;
    add_summary_columns(results, scores, columns);
    return table_of_choices(results, false, columns, [&](const SweepCombination& chosen, std::vector<Cell>& row) {
        add_summaries(results, chosen, scores, row);
    });
}

Table short_choice(const SweepResults& results)
{
    if (!results.sweep.choose)
        return {};
    std::vector<ScoreName> scores{{.validation = true, .name = results.sweep.choose->by, .unit = {}}};
    for (const auto& score : main_scores(results))
        if (!score.validation)
            scores.push_back(score);
    std::vector<Column> columns;
    for (const auto& score : scores)
        columns.push_back({score.column(), score.unit});
    return table_of_choices(results, true, columns, [&](const SweepCombination& chosen, std::vector<Cell>& row) {
        for (const auto& score : scores)
            row.emplace_back(mean_and_sd_text(over_seeds(results, chosen, score), n_done_of(results, chosen)));
    });
}

namespace {

/// Number of finished cells per build.
std::string provenance_text(const SweepResults& results)
{
    std::vector<std::pair<Build, int>> builds;
    for (const auto& status : results.states) {
        if (!status.provenance)
            continue;
        const auto& build = status.provenance->build;
        const auto found  = std::find_if(builds.begin(), builds.end(),
                                         [&](const auto& one) { return one.first == build; });
        if (found == builds.end())
            builds.emplace_back(build, 1);
        else
            ++found->second;
    }
    auto list = nlohmann::ordered_json::array();
    for (const auto& [build, cells] : builds) {
        auto json     = build_to_json(build);
        json["cells"] = cells;
        list.push_back(std::move(json));
    }
    return nlohmann::ordered_json{{"builds", std::move(list)}}.dump(2) + "\n";
}

}   // namespace

void write_sweep_results(const SweepResults& results, const std::filesystem::path& folder)
{
    write_whole(folder / "cells.csv", to_csv(cells_table(results)));
    write_whole(folder / "times.csv", to_csv(times_table(results)));
    write_whole(folder / "summary.csv", to_csv(summary_table(results)));
    write_whole(folder / "comparisons.csv", to_csv(comparisons_table(results)));
    Chart chart{.id = "summary", .title = shown_title(results.sweep)};
    const auto* seeds = results.sweep.replicate_axis();
    chart.caption     = shown_title(results.sweep) + ": "
                    + (seeds && seeds->values.size() > 1
                           ? "mean ± standard deviation over " + std::to_string(seeds->values.size()) + " "
                                 + results.sweep.replicate_word() + "."
                           : std::string("one seed."));
    chart.table = short_summary(results);
    write_whole(folder / "summary.tex", to_latex(chart));
    if (const auto chosen = chosen_table(results))
        write_whole(folder / "chosen.csv", to_csv(*chosen));
    if (const auto coverage = coverage_table(results))
        write_whole(folder / "coverage.csv",
                    to_csv(*coverage, "Test rows of different " + results.sweep.replicate_word()
                                          + " overlap, so that the binomial intervals are too narrow."));
    write_whole(folder / "provenance.json", provenance_text(results));
}

}   // namespace credence
