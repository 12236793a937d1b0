// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare_runs.h"

#include "charts/shared_captions.h"
#include "views/image_rows.h"
#include "views/view_support.h"

namespace credence {

TrainingCurves training_curves_of(const RunSnapshot& snapshot)
{
    const auto& experiment = *snapshot.experiment;
    auto curves       = training_curves(snapshot.history ? *snapshot.history : TrainingHistory{}, experiment.task());
    curves.name       = experiment.study.name;
    curves.error_unit = experiment.task() == Task::classification ? ""
                        : experiment.data->training.n_targets() > 1
                            ? "standard deviations of the targets"
                            : target_unit(experiment.data->training.target_name);
    if (has_validation_images(experiment))
        curves.test_name = "validation";
    return curves;
}

std::variant<std::vector<TrainingCurves>, std::string> curves_of_runs(std::span<const RunSnapshot> runs)
{
    if (runs.empty())
        return "No run is selected. Tick the runs to overlay.";
    const auto names = view_support::names_of(runs);
    std::vector<TrainingCurves> curves;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        auto next = training_curves_of(runs[i]);
        next.name = names[i];
        if (!curves.empty() && next.task != curves.front().task)
            return "Classification and regression runs have no common error. Choose runs of one kind.";
        curves.push_back(std::move(next));
    }
    return curves;
}

std::string settings_of_runs(std::span<const RunSnapshot> runs)
{
    const auto names = view_support::names_of(runs);
    std::vector<std::string> settings;
    for (const auto& run : runs)
        settings.push_back(view_support::setting_of(run));
    return settings_side_by_side(names, settings);
}

namespace {

std::string curve_words(const CurveChoice& choice)
{
    std::string words = choice.quantity == CurveQuantity::loss
                            ? "Mean loss of the minibatches since the last recorded step"
                        : choice.quantity == CurveQuantity::kl
                            ? "KL of the posterior to the prior"
                            : "Errors during training: training set dashed, validation or test set solid";
    if (choice.logarithmic)
        words += "; the axis is logarithmic, and values of 0 leave a gap";
    return words + ".";
}

Chart overlay_chart(std::vector<TrainingCurves> curves, const CurveChoice& choice)
{
    Chart chart{.id = "overlay_training_curves", .title = "Error curves", .caption = curve_words(choice)};
    Panel panel = overlay_panel(curves, choice);
    if (panel.series.empty())
        chart.message = choice.quantity == CurveQuantity::kl
                            ? "None of these runs has a KL to the prior. Only variational methods have one."
                            : "Nothing has been recorded yet. Train a few steps.";
    else
        chart.panels.push_back(std::move(panel));
    return chart;
}

std::optional<Chart> make_overlay(const RunSnapshot& snapshot, const ViewOptions& options, const std::stop_token&)
{
    return view_support::with_setting(overlay_chart({training_curves_of(snapshot)}, options.curves), snapshot);
}

std::optional<Chart> compare_overlay(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                     const std::stop_token&)
{
    auto curves = curves_of_runs(runs);
    if (const auto* sentence = std::get_if<std::string>(&curves))
        return Chart{.id = "overlay_training_curves", .title = "Error curves", .message = *sentence};
    Chart chart = overlay_chart(std::get<std::vector<TrainingCurves>>(std::move(curves)), options.curves);
    chart.caption += settings_of_runs(runs);
    return chart;
}

}   // namespace

View overlay_training_curves_view()
{
    return {
        .id    = "overlay_training_curves",
        .title = "Error curves",
        .group = ViewGroup::training,
        .help =
            "The errors of all ticked runs at the recorded steps, in one panel: how fast does each method learn? "
            "Dashed: on the training set. Solid: on the validation set if the run has one, otherwise on the test "
            "set. Both use a few samples and at most 1,000 rows, so they differ slightly from the final scores; a "
            "training setting uses all rows instead. The error is the share of wrong classes in percent, or the root "
            "mean squared error. You can show the minibatch loss or the KL to the prior instead, and make the axis "
            "logarithmic. Figure adapted from the functional-BNN submission, Fig. 4.",
        .cost         = Cost::quick,
        .when_pruned  = WhenPruned::whole,
        .many_targets = ManyTargets::all,
        .make         = make_overlay,
        .compare      = compare_overlay};
}

}   // namespace credence
