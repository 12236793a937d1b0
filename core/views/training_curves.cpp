// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/training_curves.h"

#include "charts/chart.h"
#include "foundation/enum_names.h"
#include "foundation/error.h"
#include "training/snapshot.h"
#include "views/compare_runs.h"
#include "views/view_support.h"

#include <algorithm>
#include <limits>
#include <utility>

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

using namespace view_support;

namespace {

using Curve = TrainingCurves::Curve;

void add_line(Panel& panel, const Curve& curve, const std::string& name, Tone tone, LineStyle style = LineStyle::solid)
{
    if (!curve.empty())
        panel.series.push_back(Line{.name = name, .x = curve.step, .y = curve.value, .tone = tone, .style = style});
}

constexpr EnumNames<CurveQuantity, 3> curve_quantities{
    {{CurveQuantity::error, "error"}, {CurveQuantity::loss, "loss"}, {CurveQuantity::kl, "kl"}}};

/// Multiplies by `factor`; on a logarithmic axis values that are not positive break the line.
Curve drawable(Curve curve, double factor, bool logarithmic)
{
    for (double& value : curve.value) {
        value *= factor;
        if (logarithmic && !(value > 0))
            value = std::numeric_limits<double>::quiet_NaN();
    }
    return curve;
}

Axis overlay_axis(const std::vector<TrainingCurves>& runs, const CurveChoice& choice)
{
    const bool classes = runs.empty() || runs.front().task == Task::classification;
    switch (choice.quantity) {
    case CurveQuantity::loss: return {.label = "Data loss per example", .unit = "nats"};
    case CurveQuantity::kl: return {.label = "KL to the prior", .unit = "nats"};
    default: break;
    }
    if (classes)
        return {.label = "Error", .unit = "%"};
    return {.label = "RMSE", .unit = runs.front().error_unit};
}

/// "3.2 %"; empty if the loss has no roughness.
std::string roughness_text(const RunSnapshot& snapshot)
{
    const auto share = snapshot.history ? loss_roughness(*snapshot.history) : std::nullopt;
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

std::optional<Chart> make_training_curves(const RunSnapshot& snapshot, const ViewOptions&, const std::stop_token&)
{
    Chart chart = to_chart(training_curves_of(snapshot));
    if (const auto share = roughness_text(snapshot); !share.empty())
        chart.caption += " Roughness of the data loss: " + share + ".";
    return with_setting(std::move(chart), snapshot);
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
        .title = "KL term of the loss", .x = {.label = "Step"}, .y = {.label = "Weight × KL", .unit = "nats"}};
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
        add_line(error, run.training_error, name("training"), several ? own : Tone{Tone::Kind::training},
                 several ? LineStyle::dashed : LineStyle::solid);
        add_line(error, run.test_error, name(run.test_name.c_str()), several ? own : Tone{Tone::Kind::test});
    }
    for (auto* panel : {&loss, &kl, &weighted, &error})
        if (!panel->series.empty())
            chart.panels.push_back(std::move(*panel));
    if (chart.panels.empty())
        chart.message = "Nothing has been recorded yet. Train a few steps.";
    chart.columns = std::min<int>(2, std::max<int>(1, static_cast<int>(chart.panels.size())));
    chart.caption =
        classes ? "Mean minibatch loss, KL to the prior, the KL term of the loss, and the share of wrong predictions."
                : "Mean minibatch loss, KL to the prior, the KL term of the loss, and the root mean squared error.";
    return chart;
}

CurveQuantity curve_quantity_named(const std::string& wanted)
{
    return curve_quantities.value_of(wanted, "--quantity");
}

Panel overlay_panel(const std::vector<TrainingCurves>& runs, const CurveChoice& choice)
{
    Panel panel{.x = {.label = "Step"}, .y = overlay_axis(runs, choice)};
    panel.y.logarithmic = choice.logarithmic;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const auto& run     = runs[r];
        const Tone own      = category(static_cast<int>(r));
        const bool several  = runs.size() > 1;
        const double factor = choice.quantity == CurveQuantity::error && run.task == Task::classification ? 100 : 1;
        const auto add      = [&](const Curve& curve, const std::string& part, LineStyle style) {
            add_line(panel, drawable(curve, factor, choice.logarithmic),
                     several && !part.empty() ? run.name + ", " + part
                          : several                ? run.name
                                                   : part,
                          own, style);
        };
        switch (choice.quantity) {
        case CurveQuantity::error:
            add(run.training_error, "training", LineStyle::dashed);
            add(run.test_error, run.test_name, LineStyle::solid);
            break;
        case CurveQuantity::loss: add(run.data_loss, "", LineStyle::solid); break;
        case CurveQuantity::kl: add(run.kl, "", LineStyle::solid); break;
        }
    }
    return panel;
}

View training_curves_view()
{
    return {
        .id    = "training_curves",
        .title = "Training",
        .group = ViewGroup::training,
        .help =
            "Loss, KL and scores at the recorded steps. Data loss: mean −ln p(y | x, w) over the minibatches since the "
            "last point, nats per example. KL(q‖prior): how far the posterior is from the prior, in nats, and the same "
            "times its weight, which is the term added to the loss. Errors on the training and test sets "
            "(validation set if the run has one): the share of wrong classes, or the root mean squared error. They use "
            "at most 1,000 rows and a few samples, unless a training setting uses all rows. A growing gap between the "
            "two errors is overfitting. The caption gives the roughness of the data loss: how far each recorded loss "
            "is from the straight line between its neighbours, as a share of the loss; 0 is smooth. Compare it only "
            "between runs with the same steps and batch size. Adapted from a claim in Posch and Pilz 2021, section "
            "IV-A.",
        .cost         = Cost::quick,
        .when_pruned  = WhenPruned::whole,
        .many_targets = ManyTargets::all,
        .make         = make_training_curves,
        .compare      = [](std::span<const RunSnapshot> runs, const ViewOptions&,
                      const std::stop_token&) -> std::optional<Chart> { return compare_training_curves(runs); }};
}

}   // namespace credence
