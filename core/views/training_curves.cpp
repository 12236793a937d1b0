// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/overlay_training_curves.h"
#include "views/view_support.h"

namespace credence {

using namespace view_support;

namespace {

Chart compare_training_curves(std::span<const RunMoment> runs)
{
    auto curves = curves_of_runs(runs);
    if (const auto* sentence = std::get_if<std::string>(&curves))
        return {.id = "training_curves", .title = "Training of several runs", .message = *sentence};
    Chart chart   = to_chart(std::get<std::vector<TrainingCurves>>(curves));
    chart.title   = "Training of several runs";
    chart.caption = "Training curves of " + std::to_string(runs.size()) + " runs; training errors are dashed."
                    + settings_of_runs(runs);
    return chart;
}

std::optional<Chart> make_training_curves(const RunMoment& moment, const ViewOptions&, const std::stop_token&)
{
    return with_setting(to_chart(training_curves_of(moment)), moment);
}

}   // namespace

View training_curves_view()
{
    return {
        .id    = "training_curves",
        .title = "Training",
        .help =
            "Data loss: mean −ln p(y | x, w) over the minibatches since the last point, nats per example. KL(q‖prior): how far the posterior has left the prior, nats; and the "
            "same times its weight, which is what is added to the loss. Errors on training and test set (validation set of runs that keep one): share of wrong classes, or root mean squared error, of at most 1,000 rows by a few draws unless the settings of the training ask for all. A growing gap "
            "between the two errors is overfitting.",
        .cost        = Cost::quick,
        .when_pruned = WhenPruned::whole,
        .make        = make_training_curves,
        .compare     = [](std::span<const RunMoment> runs, const ViewOptions&,
                      const std::stop_token&) -> std::optional<Chart> { return compare_training_curves(runs); }};
}

}   // namespace credence
