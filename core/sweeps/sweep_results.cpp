// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweeps/sweep_results.h"

#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/json.h"
#include "foundation/statistics.h"
#include "results/times_file.h"
#include "views/run_summary.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>

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

constexpr std::size_t most_compared_whole  = 10;   // combinations; more give too many pairs
constexpr std::size_t most_compared_values = 50;   // values of one axis

/// Difference of the scores over the replicates that both have.
MeanDifference difference_of(const SweepResults& results, const SweepCombination& a, const SweepCombination& b,
                             const ScoreName& score)
{
    std::vector<double> of_a, of_b;
    for (std::size_t s = 0; s < std::min(a.cells.size(), b.cells.size()); ++s) {
        const auto &in_a = results.scores[a.cells[s]], &in_b = results.scores[b.cells[s]];
        const auto value_a = in_a ? in_a->value(score) : std::nullopt,
                   value_b = in_b ? in_b->value(score) : std::nullopt;
        if (value_a && value_b) {
            of_a.push_back(*value_a);
            of_b.push_back(*value_b);
        }
    }
    return paired_difference(of_a, of_b);
}

std::string words_of_others(const SweepResults& results, const SweepCombination& combination, std::size_t without)
{
    std::string words;
    const auto& axes = results.sweep.axes;
    for (std::size_t i = 0; i < axes.size(); ++i)
        if (i != without && !results.sweep.is_replicate(axes[i]) && axes[i].values.size() > 1)
            words += (words.empty() ? "" : ", ") + axes[i].values[combination.at[i]].label;
    return words;
}

/// Number of axes in which two combinations differ.
std::size_t axes_between(const SweepCombination& a, const SweepCombination& b)
{
    std::size_t n = 0;
    for (std::size_t i = 0; i < a.at.size(); ++i)
        n += a.at[i] != b.at[i] ? 1 : 0;
    return n;
}

/// Comparisons of two sides for every score with a better direction.
class ComparisonList {
public:
    explicit ComparisonList(const SweepResults& results) : results_(results)
    {
        for (const auto& score : score_names(results))
            if (less_is_better(score.name))
                scores_.push_back(score);
    }

    void add(SweepComparison pair, const SweepCombination& a, const SweepCombination& b)
    {
        for (const auto& score : scores_) {
            pair.score      = score;
            pair.difference = difference_of(results_, a, b, score);
            pair.a_better   = {};
            if (const auto p = pair.difference.probability_less)
                pair.a_better = *less_is_better(score.name) ? *p : 1 - *p;
            if (pair.difference.n_a > 0)
                list_.push_back(pair);
        }
    }

    /// All comparisons, with p values adjusted for the number of comparisons per score.
    std::vector<SweepComparison> adjusted()
    {
        for (const auto& score : scores_) {
            std::vector<std::optional<double>> raw;
            for (const auto& one : list_)
                raw.push_back(one.score == score ? one.difference.p_value : std::nullopt);
            const auto holm = holm_adjusted(raw);
            const auto n    = std::ranges::count_if(raw, [](const auto& p) { return p.has_value(); });
            for (std::size_t i = 0; i < list_.size(); ++i)
                if (list_[i].score == score) {
                    list_[i].n_compared = static_cast<std::size_t>(n);
                    list_[i].p_holm     = holm[i];
                }
        }
        return std::move(list_);
    }

private:
    const SweepResults& results_;
    std::vector<ScoreName> scores_;
    std::vector<SweepComparison> list_;
};

/// The best on validation among combinations that differ in one axis; null: some scores are still
/// unknown.
const SweepCombination* best_on_validation(const SweepResults& results,
                                           const std::vector<const SweepCombination*>& group)
{
    const ScoreName by{.validation = true, .name = results.sweep.choose->by, .unit = {}};
    const bool less              = less_is_better(by.name).value_or(true);
    const SweepCombination* best = nullptr;
    double best_mean             = 0;
    for (const auto* one : group) {
        const auto summary = over_seeds(results, *one, by);
        if (!summary.mean || summary.n < one->cells.size())
            return nullptr;
        if (!best || (less ? *summary.mean < best_mean : *summary.mean > best_mean)) {
            best      = one;
            best_mean = *summary.mean;
        }
    }
    return best;
}

/// The best on validation at each replicate, among combinations that differ in one axis. Empty: some
/// scores are still unknown.
std::optional<SweepCombination> best_at_each_replicate(const SweepResults& results,
                                                       const std::vector<const SweepCombination*>& group)
{
    SweepCombination mixed = *group.front();
    for (std::size_t replicate = 0; replicate < mixed.cells.size(); ++replicate) {
        std::vector<SweepCombination> alone;
        std::vector<const SweepCombination*> there;
        for (const auto* one : group)
            alone.push_back({one->at, {one->cells[replicate]}, one->words});
        for (const auto& one : alone)
            there.push_back(&one);
        const auto* best = best_on_validation(results, there);
        if (!best)
            return {};
        mixed.cells[replicate] = best->cells.front();
    }
    return mixed;
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

std::optional<bool> less_is_better(const std::string& score)
{
    for (const char* beginning :
         {"Error", "NLL", "Brier score", "Expected calibration error", "RMSE", "MAE", "CRPS", "Interval score"})
        if (score.starts_with(beginning))
            return true;
    for (const char* beginning : {"Accuracy", "Log likelihood", "Calibrated log likelihood", "AUROC"})
        if (score.starts_with(beginning))
            return false;
    return {};
}

SeedSummary over_seeds(const SweepResults& results, const SweepCombination& combination, const ScoreName& score)
{
    std::vector<double> values;
    for (const std::size_t cell : combination.cells)
        if (const auto& scores = results.scores[cell])
            if (const auto value = scores->value(score))
                values.push_back(*value);
    const auto summary = mean_and_sd(values);
    return summary ? SeedSummary{summary->n, summary->mean, summary->sd} : SeedSummary();
}

std::vector<SweepComparison> comparisons_of(const SweepResults& results)
{
    ComparisonList all(results);
    const auto combinations = combinations_of(results);
    const auto& axes        = results.sweep.axes;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        if (results.sweep.is_replicate(axes[axis]) || axes[axis].values.size() > most_compared_values)
            continue;
        std::map<std::vector<std::size_t>, std::vector<const SweepCombination*>> groups;   // equal except for this axis
        for (const auto& one : combinations) {
            auto others  = one.at;
            others[axis] = 0;
            groups[others].push_back(&one);
        }
        for (const auto& [others, group] : groups)
            for (std::size_t i = 0; i < group.size(); ++i)
                for (std::size_t j = i + 1; j < group.size(); ++j)
                    all.add({.axis       = axes[axis].name,
                             .a          = axes[axis].values[group[i]->at[axis]].label,
                             .b          = axes[axis].values[group[j]->at[axis]].label,
                             .others     = words_of_others(results, *group[i], axis),
                             .score      = {},
                             .difference = {},
                             .a_better   = {}},
                            *group[i], *group[j]);
    }
    if (combinations.size() <= most_compared_whole)
        for (std::size_t i = 0; i < combinations.size(); ++i)
            for (std::size_t j = i + 1; j < combinations.size(); ++j)
                if (axes_between(combinations[i], combinations[j]) > 1)
                    all.add({.axis       = {},
                             .a          = combinations[i].words,
                             .b          = combinations[j].words,
                             .others     = {},
                             .score      = {},
                             .difference = {},
                             .a_better   = {}},
                            combinations[i], combinations[j]);
    return all.adjusted();
}

std::vector<SweepChosen> choices_of(const SweepResults& results)
{
    std::vector<SweepChosen> choices;
    if (!results.sweep.choose)
        return choices;
    const auto& axes  = results.sweep.axes;
    std::size_t along = 0;
    while (along < axes.size() && axes[along].name != results.sweep.choose->axis)
        ++along;
    if (along == axes.size())
        return choices;
    const auto combinations = combinations_of(results);
    std::vector<std::vector<const SweepCombination*>> groups;   // equal except for the axis of the choice
    std::map<std::vector<std::size_t>, std::size_t> group_at;
    for (const auto& one : combinations) {
        auto others             = one.at;
        others[along]           = 0;
        const auto [at, is_new] = group_at.emplace(others, groups.size());
        if (is_new) {
            groups.emplace_back();
            choices.push_back({others, {}});
        }
        groups[at->second].push_back(&one);
    }
    for (std::size_t g = 0; g < groups.size(); ++g)
        if (results.sweep.choose->each_replicate)
            choices[g].chosen = best_at_each_replicate(results, groups[g]);
        else if (const auto* best = best_on_validation(results, groups[g]))
            choices[g].chosen = *best;
    return choices;
}

std::optional<Table> coverage_table(const SweepResults& results)
{
    std::vector<ScoreName> coverages;
    for (const auto& score : summarised_scores(results))
        if (score.name.starts_with("Coverage of the ") && !score.validation)
            coverages.push_back(score);
    if (coverages.empty())
        return {};
    Table table;
    for (const auto& axis : results.sweep.axes)
        if (!results.sweep.is_replicate(axis))
            table.columns.push_back({axis.name, {}});
    for (const std::string& name :
         {std::string("score"), results.sweep.replicate_word(), std::string("rows"), std::string("covered"),
          std::string("coverage"), std::string("lower end of the binomial 95 % interval"),
          std::string("upper end of the binomial 95 % interval")})
        table.columns.push_back({name, {}});
    for (const auto& combination : combinations_of(results))
        for (const auto& score : coverages) {
            long rows = 0, covered = 0, replicates = 0;
            for (const auto cell : combination.cells) {
                const auto& scores  = results.scores[cell];
                const auto n        = scores ? scores->value({.name = "Inputs", .unit = {}}) : std::nullopt;
                const auto coverage = scores ? scores->value(score) : std::nullopt;
                if (!n || !coverage)
                    continue;
                rows += std::lround(*n);
                covered += std::lround(*coverage * *n);
                ++replicates;
            }
            if (rows == 0)
                continue;
            const auto [lower, upper] = share_interval(covered, rows);
            std::vector<Cell> row;
            for (std::size_t i = 0; i < results.sweep.axes.size(); ++i)
                if (!results.sweep.is_replicate(results.sweep.axes[i]))
                    row.emplace_back(results.sweep.axes[i].values[combination.at[i]].label);
            row.insert(row.end(), {score.name, replicates, rows, covered,
                                   static_cast<double>(covered) / static_cast<double>(rows), lower, upper});
            table.rows.push_back(std::move(row));
        }
    return table;
}

}   // namespace credence
