// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/input_picture.h"
#include "views/view_support.h"

#include "figures/boxplots.h"
#include "prediction/regression.h"

namespace credence {

using namespace view_support;

namespace {

std::optional<Chart> make_boxplots(const RunSnapshot& moment, const ViewOptions& options, const std::stop_token& stop)
{
    const auto& experiment = *moment.experiment;
    const auto outputs     = chosen_outputs(moment, options, stop);
    if (!outputs)
        return {};
    const auto& [input, samples, n_samples] = *outputs;
    Chart chart;
    if (experiment.task() == Task::classification)
        chart = to_chart(boxplots(view_of(samples), 0, experiment.data->training.class_names, input.label));
    else {
        const auto draws = regression_samples(view_of(samples), experiment.data->target_mean,
                                              experiment.data->target_sd);
        chart            = to_chart(boxplots(draws.f, experiment.data->training.target_name, input.target));
    }
    chart.panels[0].title = input.name + (chart.panels[0].title.empty() ? "" : ": " + chart.panels[0].title);
    chart.caption += " Input: " + input.name + ".";
    if (experiment.data->image && options.picture)
        add_input_picture(chart, experiment, input);
    return with_setting(std::move(chart), moment, n_samples);
}

}   // namespace

View boxplots_view()
{
    return {
        .id    = "boxplots",
        .title = "Boxplots",
        .help =
            "Sampled outputs for the selected input, one box per class: each sampled network gives one probability. "
            "The line is the median, the box covers the middle half, the whiskers extend to the farthest samples "
            "within 1.5 interquartile ranges, circles are outliers, and the diamond is the mean. A high, narrow box "
            "means a confident prediction. Overlapping boxes mean that the sampled networks disagree. Quartiles are "
            "of type 7. For an image that you draw, disturb or open from a file, the outputs are sampled directly "
            "instead of the weights: the distribution is the same and sampling is much faster. Rows of the data use "
            "the same samples as the tables. Source: Posch and Pilz 2021; Steinbrener et al. 2020.",
        .needs_input = true,
        .asks        = Asks::outputs,
        .make        = make_boxplots};
}

}   // namespace credence
