// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/names.h"
#include "views/scored_predictions.h"
#include "views/scores_table.h"
#include "views/view_makers.h"
#include "views/view_support.h"

#include "figures/calibration_figure.h"
#include "figures/certainty_table.h"
#include "figures/confusion.h"
#include "figures/roc_figure.h"
#include "figures/training_curves.h"

#include <algorithm>

// Views of the training and of the predictions on the whole test set.
namespace credence {

namespace view_makers {

using namespace view_support;

namespace {

Chart classes_only(const std::string& id, const std::string& title)
{
    return {.id    = id,
            .title = title,
            .message =
                "This view counts classes: the data of this study have a number to predict. See the scores instead."};
}

/// The name of the rows in the caption, and how the draws were made.
Chart on_set(Chart chart, const RunMoment& moment, const ScoredPredictions& scored)
{
    chart.caption += " Rows: the " + scored.name + ".";
    return with_setting(std::move(chart), moment, scored.set.n_samples);
}

TrainingCurves curves_of(const RunMoment& moment)
{
    auto curves = training_curves(moment.history ? *moment.history : TrainingHistory{}, moment.experiment->task());
    curves.name = moment.experiment->study.name;
    curves.error_unit = moment.experiment->task() == Task::regression
                            ? "units of " + moment.experiment->data->training.target_name
                            : "";
    return curves;
}

}   // namespace

Chart training_curves_view(const RunMoment& moment, const ViewOptions&, std::stop_token)
{
    return with_setting(to_chart(curves_of(moment)), moment);
}

Chart certainty_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop)
{
    if (moment.experiment->task() != Task::classification)
        return classes_only("certainty", "Certainty");
    const auto scored = scored_predictions(moment, options, stop);
    if (!scored)
        return stopped("certainty", "Certainty");
    return on_set(to_chart(certainty_table(scored->set, scored->labels)), moment, *scored);
}

Chart confusion_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop)
{
    if (moment.experiment->task() != Task::classification)
        return classes_only("confusion", "Confusion");
    const auto scored = scored_predictions(moment, options, stop);
    if (!scored)
        return stopped("confusion", "Confusion");
    return on_set(
        to_chart(confusion(scored->set.classes, scored->labels, moment.experiment->data->training.class_names)), moment,
        *scored);
}

Chart roc_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop)
{
    if (moment.experiment->task() != Task::classification)
        return classes_only("roc", "ROC");
    const auto scored = scored_predictions(moment, options, stop);
    if (!scored)
        return stopped("roc", "ROC");
    return on_set(
        to_chart(roc_figure(scored->set.classes, scored->labels, moment.experiment->data->training.class_names)),
        moment, *scored);
}

Chart calibration_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop)
{
    if (moment.experiment->task() != Task::classification)
        return classes_only("calibration", "Calibration");
    const auto scored = scored_predictions(moment, options, stop);
    if (!scored)
        return stopped("calibration", "Calibration");
    return on_set(to_chart(calibration(scored->set.classes, scored->labels)), moment, *scored);
}

Chart scores_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop)
{
    Chart chart{.id = "scores", .title = "Scores"};
    chart.table = scores(moment, stop, options);
    if (stop.stop_requested())
        return stopped(chart.id, chart.title);
    const auto set = scored_set(*moment.experiment);
    const auto n   = static_cast<std::size_t>(std::max(0, options.rows));
    chart.caption  = "Scores on the " + set.name
                    + (n > 0 && n < set.data->n_rows && moment.experiment->task() == Task::classification
                           ? ", " + std::to_string(n) + " of " + std::to_string(set.data->n_rows)
                           : "")
                    + ".";
    return with_setting(std::move(chart), moment, predictive_of(moment, options).n_samples());
}

}   // namespace view_makers

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
