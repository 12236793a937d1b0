// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare_runs.h"

#include "charts/boxplots.h"
#include "prediction/regression.h"
#include "views/view_support.h"

#include <algorithm>

namespace credence {

using namespace view_support;

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

std::optional<Chart> make_boxplots(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const auto outputs     = chosen_outputs(run, options, stop);
    if (!outputs)
        return {};
    const auto& [input, samples, n_samples] = *outputs;
    Chart chart;
    if (experiment.task() == Task::classification)
        chart = to_chart(boxplots(view_of(samples), 0, experiment.data->training.class_names, input.label));
    else {
        const auto draws = regression_samples(view_of(samples), experiment.model.likelihood,
                                              experiment.data->target_mean, experiment.data->target_sd);
        chart            = to_chart(boxplots(draws.f, experiment.data->training.target_name, input.target));
    }
    chart.panels[0].title = input.name + (chart.panels[0].title.empty() ? "" : ": " + chart.panels[0].title);
    chart.caption += " Input: " + input.name + ".";
    if (experiment.data->image && options.input.with_picture)
        add_input_picture(chart, experiment, input);
    return with_setting(std::move(chart), run, n_samples);
}

}   // namespace

std::optional<Chart> compare_boxplots(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                      std::stop_token stop)
{
    Chart chart{.id = "compare_boxplots", .title = "Boxplots side by side"};
    const auto names         = view_support::names_of(runs);
    auto plain               = options;
    plain.input.with_picture = false;   // all panels share one picture of the input
    std::string left_out;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const auto& experiment = *runs[r].experiment;
        if (!options.input.values.empty()
            && (experiment.outputs || options.input.values.size() != experiment.data->training.n_features)) {
            left_out += " " + names[r] + " has different inputs and is left out.";
            continue;
        }
        if (options.input.values.empty() && have_other_rows(*runs.front().experiment, experiment)) {
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
                            : "None of the ticked runs has " + std::to_string(options.input.values.size()) + " inputs.";
        return chart;
    }
    view_support::share_height(chart.panels);
    chart.columns = std::min<int>(4, static_cast<int>(chart.panels.size()));
    return chart;
}

View boxplots_view()
{
    return {
        .id    = "boxplots",
        .title = "Boxplots",
        .group = ViewGroup::selected_input,
        .help =
            "Sampled outputs for the selected input, one box per class: each sampled network gives one probability. "
            "The line is the median, the box covers the middle half, the whiskers extend to the farthest samples "
            "within 1.5 interquartile ranges, circles are outliers, and the diamond is the mean. A high, narrow box "
            "means a confident prediction. Classes have the colours of the map; ✓ marks the true class, ✗ and a rim "
            "mark "
            "a wrong prediction. Overlapping boxes mean that the sampled networks disagree. Quartiles are "
            "of type 7. For an image that you draw, perturb or open from a file, the outputs are sampled directly "
            "instead of the weights: the distribution is the same and sampling is much faster. Rows of the data use "
            "the same samples as the tables. Source: Posch and Pilz 2021; Steinbrener et al. 2020.",
        .needs_input = true,
        .asks        = Asks::outputs,
        .make        = make_boxplots};
}

}   // namespace credence
