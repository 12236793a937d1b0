// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/view_makers.h"
#include "study/view_support.h"

#include "figures/boxplots.h"
#include "figures/intervals.h"
#include "prediction/regression.h"

// Views of one chosen input.
namespace credence::view_makers {

using namespace view_support;

Chart boxplots_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop)
{
    const auto& experiment = *moment.experiment;
    const auto  input      = chosen_input(moment, options);
    const auto  predictive = predictive_of(moment, options);
    const auto  samples    = predictive.sample_outputs(input.standardised, 1, stop);
    if (stop.stop_requested())
        return stopped("boxplots", "Boxplots");
    Chart chart;
    if (experiment.task() == Task::classification)
        chart = to_chart(boxplots(view_of(samples), 0, experiment.data->training.class_names, input.label));
    else {
        const auto draws = regression_samples(view_of(samples), experiment.data->target_mean, experiment.data->target_sd);
        chart = to_chart(boxplots(draws.f, experiment.data->training.target_name, input.target));
    }
    chart.panels[0].title = input.name;
    chart.caption += " Input: " + input.name + ".";
    return with_setting(std::move(chart), moment, predictive.n_samples());
}

Chart intervals_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop)
{
    const auto& experiment = *moment.experiment;
    if (experiment.task() != Task::classification)
        return {.id = "intervals", .title = "Credible intervals", .message = "Intervals per class need classes: the regression band shows those of a function."};
    const auto input      = chosen_input(moment, options);
    const auto predictive = predictive_of(moment, options);
    const auto samples    = predictive.sample_outputs(input.standardised, 1, stop);
    if (stop.stop_requested())
        return stopped("intervals", "Credible intervals");
    Chart chart = to_chart(intervals(view_of(samples), 0, experiment.study.prediction.level, experiment.data->training.class_names, input.label));
    chart.panels[0].title = input.name + ": " + chart.panels[0].title;
    return with_setting(std::move(chart), moment, predictive.n_samples());
}

}  // namespace credence::view_makers
