// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/names.h"
#include "study/results.h"
#include "study/view_makers.h"
#include "study/view_support.h"

#include "figures/calibration_figure.h"
#include "figures/certainty_table.h"
#include "figures/confusion.h"
#include "figures/training_curves.h"

#include <algorithm>

// Views of the training and of the predictions on the whole test set.
namespace credence {

namespace view_makers {

using namespace view_support;

namespace {

Chart classes_only(const std::string& id, const std::string& title)
{
    return {.id = id, .title = title, .message = "This view counts classes: the data of this study have a number to predict. See the scores instead."};
}

/// The name of the rows in the caption.
Chart on_set(Chart chart, const ScoredSet& set)
{
    chart.caption += " Rows: the " + set.name + ".";
    return chart;
}

TrainingCurves curves_of(const RunMoment& moment)
{
    auto curves       = training_curves(moment.history ? *moment.history : TrainingHistory{}, moment.experiment->task());
    curves.name       = moment.experiment->study.name;
    curves.error_unit = moment.experiment->task() == Task::regression ? "units of " + moment.experiment->data->training.target_name : "";
    return curves;
}

}  // namespace

Chart training_curves_view(const RunMoment& moment, const ViewOptions&, std::stop_token)
{
    return with_setting(to_chart(curves_of(moment)), moment);
}

Chart certainty_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop)
{
    const auto& experiment = *moment.experiment;
    if (experiment.task() != Task::classification)
        return classes_only("certainty", "Certainty");
    const auto set        = scored_set(experiment);
    const auto predictive = predictive_of(moment, options);
    std::vector<double> levels(std::begin(published_levels), std::end(published_levels));
    if (std::find(levels.begin(), levels.end(), experiment.study.prediction.level) == levels.end())
        levels.insert(levels.begin(), experiment.study.prediction.level);

    std::optional<CertaintyTable> table;
    const auto labels = std::span(set.data->labels);
    const bool done   = for_each_block(predictive, set.inputs, static_cast<int>(set.data->n_features), static_cast<int>(set.data->n_classes()), stop,
                                       [&](const OutputSamples& samples, int first) {
        auto part = certainty_table(view_of(samples), labels.subspan(first, samples.n_inputs), levels);
        table     = table ? sum(*table, part) : std::move(part);
    });
    if (!done)
        return stopped("certainty", "Certainty");
    return with_setting(on_set(to_chart(table.value_or(CertaintyTable{})), set), moment, predictive.n_samples());
}

Chart confusion_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop)
{
    if (moment.experiment->task() != Task::classification)
        return classes_only("confusion", "Confusion");
    const auto set         = scored_set(*moment.experiment);
    const auto predictions = predictions_of(moment, set, options, stop);
    if (!predictions)
        return stopped("confusion", "Confusion");
    return with_setting(on_set(to_chart(confusion(*predictions, set.data->labels, set.data->class_names)), set), moment,
                        predictive_of(moment, options).n_samples());
}

Chart calibration_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop)
{
    if (moment.experiment->task() != Task::classification)
        return classes_only("calibration", "Calibration");
    const auto set         = scored_set(*moment.experiment);
    const auto predictions = predictions_of(moment, set, options, stop);
    if (!predictions)
        return stopped("calibration", "Calibration");
    return with_setting(on_set(to_chart(calibration(*predictions, set.data->labels)), set), moment, predictive_of(moment, options).n_samples());
}

Chart scores_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop)
{
    Chart chart{.id = "scores", .title = "Scores"};
    chart.table = scores(moment, stop);
    if (stop.stop_requested())
        return stopped(chart.id, chart.title);
    chart.caption = "Scores on the " + scored_set(*moment.experiment).name + ".";
    return with_setting(std::move(chart), moment, predictive_of(moment, options).n_samples());
}

}  // namespace view_makers

Chart overlay_training_curves(std::span<const RunMoment> runs)
{
    std::vector<const Study*> studies;
    for (const auto& run : runs)
        studies.push_back(&run.experiment->study);
    const auto names = distinct_names(studies);
    std::vector<TrainingCurves> curves;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        auto next = view_makers::curves_of(runs[i]);
        next.name = names[i];
        if (!curves.empty() && next.task != curves.front().task)
            return {.id = "overlay_training_curves", .title = "Training of several runs",
                    .message = "Runs with classes and runs with numbers to predict have no error in common: choose runs of one kind."};
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

}  // namespace credence
