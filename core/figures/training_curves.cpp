// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/training_curves.h"

#include <algorithm>

namespace credence {

TrainingCurves training_curves(const TrainingHistory& history, Task task)
{
    TrainingCurves out;
    out.task = task;
    for (const auto& point : history) {
        const auto add = [&](TrainingCurves::Curve& curve, std::optional<double> value) {
            if (!value)
                return;
            curve.step.push_back(static_cast<double>(point.step));
            curve.value.push_back(*value);
        };
        add(out.data_loss, point.data_loss);
        add(out.kl, point.kl);
        add(out.weighted_kl, point.kl ? std::optional(*point.kl * point.kl_weight) : std::nullopt);
        add(out.training_error, point.training_error);
        add(out.test_error, point.test_error);
    }
    return out;
}

Chart to_chart(const TrainingCurves& curves) { return to_chart(std::vector{curves}); }

namespace {

using Curve = TrainingCurves::Curve;

void add_line(Panel& panel, const Curve& curve, const std::string& name, Tone tone, LineStyle style = LineStyle::solid)
{
    if (!curve.empty())
        panel.series.push_back(Line{.name = name, .x = curve.step, .y = curve.value, .tone = tone, .style = style});
}

}   // namespace

Chart to_chart(const std::vector<TrainingCurves>& runs)
{
    Chart chart{.id = "training_curves", .title = "Training"};
    const bool several = runs.size() > 1;
    const bool classes = runs.empty() || runs.front().task == Task::classification;
    Panel loss{.title = "Data loss per example", .x = {.label = "Step"}, .y = {.label = "Loss", .unit = "nats"}};
    Panel kl{.title = "KL to the prior", .x = {.label = "Step"}, .y = {.label = "KL", .unit = "nats"}};
    Panel weighted{
        .title = "What it adds to the loss", .x = {.label = "Step"}, .y = {.label = "Weight × KL", .unit = "nats"}};
    Panel error{.title = "Error",
                .x     = {.label = "Step"},
                .y = {.label = classes ? "Share wrong" : "RMSE", .unit = runs.empty() ? "" : runs.front().error_unit}};
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const auto& run = runs[r];
        const Tone own  = category(static_cast<int>(r));
        const auto name = [&](const char* curve) {
            return several ? run.name + (*curve ? std::string(", ") + curve : "") : std::string(curve);
        };
        add_line(loss, run.data_loss, name(""), several ? own : Tone{Tone::Kind::training});
        add_line(kl, run.kl, name(""), several ? own : Tone{Tone::Kind::posterior});
        add_line(weighted, run.weighted_kl, name(""), several ? own : Tone{Tone::Kind::posterior});
        add_line(error, run.training_error, name("training"), several ? own : Tone{Tone::Kind::training});
        add_line(error, run.test_error, name("test"), several ? own : Tone{Tone::Kind::test},
                 several ? LineStyle::dashed : LineStyle::solid);
    }
    for (auto* panel : {&loss, &kl, &weighted, &error})
        if (!panel->series.empty())
            chart.panels.push_back(std::move(*panel));
    if (chart.panels.empty())
        chart.message = "Nothing has been recorded yet: train for a moment.";
    chart.columns = std::min<int>(2, std::max<int>(1, static_cast<int>(chart.panels.size())));
    chart.caption =
        classes
            ? "Mean minibatch loss, KL to the prior and the part of it that enters the loss, and the share of wrong predictions."
            : "Mean minibatch loss, KL to the prior and the part of it that enters the loss, and the root mean squared error.";
    return chart;
}

}   // namespace credence
