// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/input_picture.h"
#include "views/view_support.h"

#include "figures/intervals.h"

namespace credence {

using namespace view_support;

namespace {

std::optional<std::string> why_not_intervals(const Experiment& experiment)
{
    if (experiment.task() == Task::classification)
        return {};
    return "Class intervals need classes. For regression see the regression band.";
}

std::optional<Chart> make_intervals(const RunSnapshot& moment, const ViewOptions& options, const std::stop_token& stop)
{
    const auto& experiment = *moment.experiment;
    const auto outputs     = chosen_outputs(moment, options, stop);
    if (!outputs)
        return {};
    const auto& [input, samples, n_samples] = *outputs;
    Chart chart                             = to_chart(intervals(view_of(samples), 0, experiment.study.prediction.level,
                                                                 experiment.data->training.class_names, input.label));
    if (experiment.data->image && options.picture)
        add_input_picture(chart, experiment, input);   // has the input's name
    else
        chart.panels[0].title = input.name + ": " + chart.panels[0].title;
    chart.caption += " Input: " + input.name + ".";
    return with_setting(std::move(chart), moment, n_samples);
}

}   // namespace

View intervals_view()
{
    return {
        .id    = "intervals",
        .title = "Intervals",
        .help =
            "The credible interval of each class at level α for the selected input: from the quantile (1 − α)/2 to "
            "(1 + α)/2 of the sampled probabilities. Two criteria give the verdict: (i) certain if the interval of "
            "the predicted class overlaps no other class's interval; (ii) certain if its mean probability is at "
            "least α. With 200 samples and α = 99.999 % the interval is the full range of the samples. Source: Posch "
            "and Pilz 2021, section IV-A.",
        .needs_input = true,
        .asks        = Asks::outputs,
        .why_not     = why_not_intervals,
        .make        = make_intervals};
}

}   // namespace credence
