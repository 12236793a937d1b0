// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare_boxplots.h"

#include "views/view_support.h"

#include <algorithm>

namespace credence {

namespace {

/// Returns true if equal row numbers mean different inputs in two runs. Needed for imported
/// predictions, whose inputs are row numbers.
bool have_other_rows(const Experiment& a, const Experiment& b)
{
    if (!a.outputs && !b.outputs)
        return false;
    const auto &one = *view_support::scored_set(a).data, &other = *view_support::scored_set(b).data;
    return one.n_rows != other.n_rows || (!one.labels.empty() && !other.labels.empty() && one.labels != other.labels);
}

}   // namespace

std::optional<Chart> compare_boxplots(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                      std::stop_token stop)
{
    Chart chart{.id = "compare_boxplots", .title = "Boxplots side by side"};
    const auto names = view_support::names_of(runs);
    auto plain       = options;
    plain.picture    = false;   // all panels share one picture of the input
    std::string left_out;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const auto& experiment = *runs[r].experiment;
        if (!options.input.empty()
            && (experiment.outputs || options.input.size() != experiment.data->training.n_features)) {
            left_out += " " + names[r] + " has different inputs and is left out.";
            continue;
        }
        if (options.input.empty() && have_other_rows(*runs.front().experiment, experiment)) {
            left_out += " " + names[r] + " has different rows and is left out.";
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
                            ? "No run is selected. Tick the runs to compare."
                            : "None of the ticked runs has " + std::to_string(options.input.size()) + " inputs.";
        return chart;
    }
    view_support::share_height(chart.panels);
    chart.columns = std::min<int>(4, static_cast<int>(chart.panels.size()));
    return chart;
}

}   // namespace credence
