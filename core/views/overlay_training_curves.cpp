// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/overlay_training_curves.h"

#include "views/view_support.h"

namespace credence {

TrainingCurves training_curves_of(const RunMoment& moment)
{
    auto curves = training_curves(moment.history ? *moment.history : TrainingHistory{}, moment.experiment->task());
    curves.name = moment.experiment->study.name;
    curves.error_unit = moment.experiment->task() == Task::regression
                            ? "units of " + moment.experiment->data->training.target_name
                            : "";
    return curves;
}

Chart overlay_training_curves(std::span<const RunMoment> runs)
{
    const auto names = view_support::names_of(runs);
    std::vector<TrainingCurves> curves;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        auto next = training_curves_of(runs[i]);
        next.name = names[i];
        if (!curves.empty() && next.task != curves.front().task)
            return {
                .id    = "overlay_training_curves",
                .title = "Training of several runs",
                .message =
                    "Runs with classes and runs with numbers to predict have no error in common: choose runs of one kind."};
        curves.push_back(std::move(next));
    }
    Chart chart = to_chart(curves);
    chart.id    = "overlay_training_curves";
    chart.title = "Training of several runs";
    if (runs.empty())
        chart.message = "No run was chosen: mark the runs to draw over one another.";
    chart.caption = "Training curves of " + std::to_string(runs.size()) + " runs; test errors are dashed.";
    for (std::size_t i = 0; i < runs.size(); ++i)
        chart.caption += " " + curves[i].name + ": " + view_support::setting_of(runs[i]);
    return chart;
}

}   // namespace credence
