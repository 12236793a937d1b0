// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/overlay_training_curves.h"
#include "views/view_support.h"

#include "charts/number_text.h"
#include "training/loss_roughness.h"

namespace credence {

using namespace view_support;

namespace {

/// "3.2 %"; empty if the loss has no roughness.
std::string roughness_text(const RunSnapshot& moment)
{
    const auto share = moment.history ? loss_roughness(*moment.history) : std::nullopt;
    return share ? number_text(100 * *share, 2) + " %" : "";
}

/// For each run that has one.
std::string roughness_of_runs(std::span<const RunSnapshot> runs)
{
    const auto names = names_of(runs);
    std::string text;
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (const auto share = roughness_text(runs[i]); !share.empty())
            text += (text.empty() ? " Roughness of the data loss: " : ", ") + names[i] + " " + share;
    return text.empty() ? text : text + ".";
}

Chart compare_training_curves(std::span<const RunSnapshot> runs)
{
    auto curves = curves_of_runs(runs);
    if (const auto* sentence = std::get_if<std::string>(&curves))
        return {.id = "training_curves", .title = "Training of several runs", .message = *sentence};
    Chart chart   = to_chart(std::get<std::vector<TrainingCurves>>(curves));
    chart.title   = "Training of several runs";
    chart.caption = "Training curves of " + std::to_string(runs.size()) + " runs; training errors are dashed."
                    + roughness_of_runs(runs) + settings_of_runs(runs);
    return chart;
}

std::optional<Chart> make_training_curves(const RunSnapshot& moment, const ViewOptions&, const std::stop_token&)
{
    Chart chart = to_chart(training_curves_of(moment));
    if (const auto share = roughness_text(moment); !share.empty())
        chart.caption += " Roughness of the data loss: " + share + ".";
    return with_setting(std::move(chart), moment);
}

}   // namespace

View training_curves_view()
{
    return {
        .id    = "training_curves",
        .title = "Training",
        .help =
            "Data loss: mean −ln p(y | x, w) over the minibatches since the last point, nats per example. "
            "KL(q‖prior): how far the posterior has moved from the prior, nats; and the same times its weight, the "
            "term that is added to the loss. Errors on the training and test sets (validation set if the run has "
            "one): share of wrong classes, or root mean squared error, on at most 1,000 rows by a few samples unless "
            "a training setting uses all rows. A growing gap between the two errors is overfitting. The caption "
            "gives the roughness of the data loss: how far each recorded loss is from the straight line between its "
            "neighbours, as a share of the loss; 0 is smooth. Compare it only between runs with the same steps and "
            "batch size. Adapted from a claim in Posch and Pilz 2021, section IV-A.",
        .cost        = Cost::quick,
        .when_pruned = WhenPruned::whole,
        .make        = make_training_curves,
        .compare     = [](std::span<const RunSnapshot> runs, const ViewOptions&,
                      const std::stop_token&) -> std::optional<Chart> { return compare_training_curves(runs); }};
}

}   // namespace credence
