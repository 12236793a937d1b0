// SPDX-License-Identifier: GPL-3.0-or-later
// The coverage of intervals or sets over all replicates, with its binomial interval.
#include "sweeps/sweep_results.h"

#include "views/run_summary.h"

#include <cmath>

namespace credence {

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
