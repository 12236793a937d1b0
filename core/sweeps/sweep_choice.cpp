// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweeps/sweep_results.h"

#include <map>

namespace credence {
namespace {

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

}   // namespace

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
        if (const auto* best = best_on_validation(results, groups[g]))
            choices[g].chosen = *best;
    return choices;
}

}   // namespace credence
