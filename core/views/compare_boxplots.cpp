// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare_boxplots.h"

#include "views/view_support.h"

#include <algorithm>

namespace credence {

std::optional<Chart> compare_boxplots(std::span<const RunMoment> runs, const ViewOptions& options, std::stop_token stop)
{
    Chart chart{.id = "compare_boxplots", .title = "Boxplots side by side"};
    const auto names = view_support::names_of(runs);
    auto plain       = options;
    plain.picture    = false;   // one picture of the input for all of them stands elsewhere
    std::string left_out;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        if (!options.input.empty() && options.input.size() != runs[r].experiment->data->training.n_features) {
            left_out += " " + names[r] + " has other inputs and is left out.";
            continue;
        }
        auto own = view("boxplots").make(runs[r], plain, stop);
        if (!own)
            return {};
        chart.panels.push_back(std::move(own->panels.front()));
        chart.panels.back().title = names[r] + "\n" + chart.panels.back().title;
        chart.caption += (chart.caption.empty() ? "" : " ") + names[r] + ": " + own->caption;
    }
    chart.caption += left_out;
    if (chart.panels.empty()) {
        chart.message = runs.empty()
                            ? "No run was chosen: mark the runs to compare."
                            : "None of the marked runs takes " + std::to_string(options.input.size()) + " inputs.";
        return chart;
    }
    view_support::share_height(chart.panels);
    chart.columns = std::min<int>(4, static_cast<int>(chart.panels.size()));
    return chart;
}

}   // namespace credence
