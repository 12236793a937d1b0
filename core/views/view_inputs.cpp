// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/view_makers.h"
#include "views/view_support.h"

#include "charts/pictures.h"
#include "figures/boxplots.h"
#include "figures/intervals.h"
#include "prediction/regression.h"

// Views of one chosen input.
namespace credence::view_makers {

using namespace view_support;

namespace {

/// The image that a chart is about, to its left.
void add_picture(Chart& chart, const Experiment& experiment, const ChosenInput& input)
{
    const auto& data = *experiment.data;
    auto bytes       = input.standardised;
    data.inputs.undo(bytes);
    set_beside(
        chart, picture_of(std::span<const float>(bytes), *data.image),
        input.name
            + (input.label ? "\ntrue class " + data.training.class_names[static_cast<std::size_t>(*input.label)] : ""));
}

}   // namespace

Chart boxplots_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop)
{
    const auto& experiment = *moment.experiment;
    const auto input       = chosen_input(moment, options);
    const auto predictive  = predictive_of(moment, options);
    const auto samples     = predictive.sample_outputs(input.standardised, 1, stop);
    if (stop.stop_requested())
        return stopped("boxplots", "Boxplots");
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
        add_picture(chart, experiment, input);
    return with_setting(std::move(chart), moment, predictive.n_samples());
}

Chart intervals_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop)
{
    const auto& experiment = *moment.experiment;
    if (experiment.task() != Task::classification)
        return {.id      = "intervals",
                .title   = "Credible intervals",
                .message = "Intervals per class need classes: the regression band shows those of a function."};
    const auto input      = chosen_input(moment, options);
    const auto predictive = predictive_of(moment, options);
    const auto samples    = predictive.sample_outputs(input.standardised, 1, stop);
    if (stop.stop_requested())
        return stopped("intervals", "Credible intervals");
    Chart chart = to_chart(intervals(view_of(samples), 0, experiment.study.prediction.level,
                                     experiment.data->training.class_names, input.label));
    if (experiment.data->image && options.picture)
        add_picture(chart, experiment, input);   // which carries its name
    else
        chart.panels[0].title = input.name + ": " + chart.panels[0].title;
    return with_setting(std::move(chart), moment, predictive.n_samples());
}

}   // namespace credence::view_makers
