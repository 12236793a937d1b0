// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/mean_and_sd.h"
#include "sweeps/sweep_results.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace credence {
namespace {

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

}   // namespace

std::optional<bool> less_is_better(const std::string& score)
{
    for (const char* beginning : {"Error", "NLL", "Brier score", "Expected calibration error", "RMSE"})
        if (score.starts_with(beginning))
            return true;
    for (const char* beginning : {"Accuracy", "Log likelihood", "AUROC"})
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

}   // namespace credence
