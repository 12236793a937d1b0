// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare_scores.h"

#include "charts/shared_captions.h"
#include "views/scores_table.h"
#include "views/view_support.h"

#include <algorithm>

namespace credence {

std::optional<Chart> compare_scores(std::span<const RunSnapshot> runs, std::stop_token stop)
{
    Chart chart{.id = "compare_scores", .title = "Scores side by side"};
    if (runs.empty()) {
        chart.message = "No run is selected. Tick the runs to compare.";
        return chart;
    }
    const auto names = view_support::names_of(runs);

    std::vector<std::string> settings;
    Table table{.columns = {{"Score"}}, .rows = {}};
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const auto own   = scores(runs[r], stop);
        const auto tests = final_test_scores(runs[r], stop);
        if (stop.stop_requested())
            return {};
        table.columns.push_back({names[r]});
        for (auto& row : table.rows)
            row.emplace_back(std::string());
        const auto add = [&](const Table& scores_of_run, const std::string& set) {
            for (const auto& score : scores_of_run.rows) {
                const auto& unit = std::get<std::string>(score[2]);
                const Cell name  = std::get<std::string>(score[0]) + set + (unit.empty() ? "" : " [" + unit + "]");
                auto row         = std::find_if(table.rows.begin(), table.rows.end(),
                                                [&](const auto& other) { return other.front() == name; });
                if (row == table.rows.end()) {
                    row          = table.rows.insert(table.rows.end(), std::vector<Cell>(r + 2, std::string()));
                    row->front() = name;
                }
                row->back() = score[1];
            }
        };
        add(tests.rows.empty() ? own : tests, "");
        if (!tests.rows.empty())
            add(own, ", validation set");
        settings.push_back(view_support::setting_of(runs[r]));
    }
    chart.table   = std::move(table);
    chart.caption = "Scores of " + std::to_string(runs.size()) + " runs, each on its own test set."
                    + settings_side_by_side(names, settings);
    return chart;
}

}   // namespace credence
