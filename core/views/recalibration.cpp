// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart.h"
#include "foundation/error.h"
#include "views/recalibration_fit.h"
#include "views/scores.h"
#include "views/view_support.h"

#include <algorithm>
#include <cmath>

namespace credence {

using namespace view_support;

namespace {

/// The kinds for the task of a run, the Study's own first.
std::vector<RecalibrationKind> kinds_to_compare(const Experiment& experiment)
{
    const auto own = experiment.study.prediction.recalibration;
    require_recalibration_of(own, experiment.task());
    if (own == RecalibrationKind::cdf)
        return {RecalibrationKind::cdf, RecalibrationKind::sigma};
    if (experiment.task() == Task::regression)
        return {RecalibrationKind::sigma};
    if (own == RecalibrationKind::vector)
        return {RecalibrationKind::vector, RecalibrationKind::temperature};
    return {RecalibrationKind::temperature};
}

/// Returns the same run with another recalibration.
RunSnapshot recalibrated_by(const RunSnapshot& run, RecalibrationKind kind)
{
    if (run.experiment->study.prediction.recalibration == kind)
        return run;
    Study study                    = run.experiment->study;
    study.prediction.recalibration = kind;
    RunSnapshot other              = run;
    other.experiment               = with_study(*run.experiment, study);
    return other;
}

/// The mean NLL of the calibration rows against T or c, on a logarithmic axis that includes 1 and
/// the minimum. Empty: stopped.
std::optional<Panel> objective_panel(const CalibrationSamples& samples, const Recalibration& best, bool classes,
                                     const std::stop_token& stop)
{
    constexpr int points = 33;
    const double at      = classes ? best.temperature : best.factor;
    const double low     = std::log(std::max(smallest_recalibration, std::min(1.0, at) / 4)),
                 high    = std::log(std::min(largest_recalibration, std::max(1.0, at) * 4));
    Line curve{.name = "mean NLL of the calibration rows", .tone = {Tone::Kind::posterior}, .width = 2};
    for (int i = 0; i < points; ++i) {
        if (stop.stop_requested())
            return {};
        const double x = std::exp(low + (high - low) * i / (points - 1));
        const Recalibration how{.kind = best.kind, .temperature = x, .factor = x};
        curve.x.push_back(x);
        curve.y.push_back(classes ? recalibrated_nll(how, samples.classes, samples.labels)
                                  : recalibrated_nll(how, samples.numbers, samples.targets));
    }
    Panel panel{.title = "Objective",
                .x     = {.label       = classes ? "Temperature T" : "Factor c of the standard deviation",
                          .range       = Range{std::exp(low), std::exp(high)},
                          .logarithmic = true},
                .y     = {.label = "Mean NLL", .unit = "nats per example"}};
    const double lowest = best.nll_after, room = std::max(1e-3, 4 * (best.nll_before - lowest));
    if (std::isfinite(lowest) && *std::ranges::max_element(curve.y) > lowest + room)   // it rises steeply on one side
        panel.y.range = Range{lowest - 0.08 * room, lowest + room};
    panel.series.push_back(std::move(curve));
    panel.series.push_back(Points{.name   = "not recalibrated",
                                  .x      = {1},
                                  .y      = {best.nll_before},
                                  .tone   = {Tone::Kind::muted},
                                  .marker = Marker::diamond,
                                  .size   = 9});
    panel.series.push_back(Points{.name   = "minimum, " + recalibration_text(best),
                                  .x      = {at},
                                  .y      = {best.nll_after},
                                  .tone   = {Tone::Kind::posterior},
                                  .marker = Marker::circle,
                                  .size   = 8,
                                  .filled = false});
    return panel;
}

/// Scores before and after, by name.
Table before_and_after(const Table& before, const Table& after)
{
    Table both{.columns = {{"Score"}, {"Before"}, {"After"}, {"Unit"}}, .rows = {}};
    for (const auto& row : before.rows) {
        if (std::get<std::string>(row[0]).starts_with("Baseline"))
            continue;
        const auto same = std::ranges::find_if(after.rows, [&](const auto& other) { return other[0] == row[0]; });
        if (same != after.rows.end())
            both.rows.push_back({row[0], row[1], (*same)[1], row[2]});
    }
    return both;
}

/// The scales and biases of vector scaling, one bar for each class.
std::vector<Panel> panels_of_classes(const Recalibration& vector, const std::vector<std::string>& names)
{
    const auto panel = [&](const std::string& title, const std::vector<double>& values, double neutral) {
        Bars bars{.width = 0.7, .tone = {Tone::Kind::posterior}};
        for (std::size_t k = 0; k < values.size(); ++k) {
            bars.position.push_back(static_cast<double>(k));
            bars.height.push_back(values[k]);
        }
        Panel out{.title = title, .x = {.label = "Class", .categories = names}, .y = {.label = title}};
        out.series = {std::move(bars), Rule{.direction = Rule::Direction::horizontal, .at = neutral}};
        return out;
    };
    return {panel("Scale a", vector.scale, 1), panel("Bias b", vector.bias, 0)};
}

/// Observed frequency against predicted level, before and after the map R, on the rows of the fit.
Panel panel_of_levels(const Recalibration& fitted, const CalibrationSamples& samples)
{
    auto scaled   = fitted;
    scaled.kind   = RecalibrationKind::sigma;
    auto before   = samples.numbers;
    scaled.levels = {};
    recalibrate(scaled, before);
    auto pit = pit_each(before, samples.targets);
    std::ranges::sort(pit);
    Line observed{
        .name = "calibration rows, after σ scaling", .x = {0}, .y = {0}, .tone = {Tone::Kind::muted}, .width = 1};
    for (std::size_t i = 0; i < pit.size(); ++i) {
        observed.x.push_back(pit[i]);
        observed.y.push_back((static_cast<double>(i) + 0.5) / static_cast<double>(pit.size()));
    }
    observed.x.push_back(1);
    observed.y.push_back(1);
    Panel panel{.title        = "Map of levels",
                .x            = {.label = "Predicted level", .range = Range{0, 1}},
                .y            = {.label = "Observed frequency", .range = Range{0, 1}},
                .equal_aspect = true};
    panel.series.push_back(Rule{.direction = Rule::Direction::diagonal});
    panel.series.push_back(std::move(observed));
    panel.series.push_back(Line{.name  = "map R",
                                .x     = fitted.levels.levels(),
                                .y     = fitted.levels.frequencies(),
                                .tone  = {Tone::Kind::posterior},
                                .width = 2});
    return panel;
}

std::optional<std::string> why_no_recalibration(const Experiment& experiment)
{
    if (experiment.outputs)
        return "Recalibration needs a network: imported predictions have no calibration rows.";
    if (!calibration_set(experiment))
        return "Recalibration needs rows that neither training nor the scores use. Set the calibration share "
               "(split.calibration_fraction) above 0, or use validation images, and train again.";
    return {};
}

std::optional<Chart> make_recalibration(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const auto kinds       = kinds_to_compare(experiment);
    const bool classes     = experiment.task() == Task::classification;
    const auto samples     = calibration_samples(recalibrated_by(run, kinds.front()), stop);
    if (!samples)
        return {};
    const auto single = fit_recalibration(kinds.back(), *samples);
    auto panel        = objective_panel(*samples, single, classes, stop);
    if (!panel)
        return {};
    Chart chart{.id = "recalibration", .title = "Recalibration", .columns = 1};
    auto shown = single;
    if (kinds.size() > 1) {
        const auto own = recalibration_of(run, stop);
        if (!own)
            return {};
        shown = *own;
        panel->series.push_back(Rule{.direction = Rule::Direction::horizontal,
                                     .at        = own->nll_after,
                                     .label     = classes ? "vector scaling" : "with the map of levels",
                                     .tone      = {Tone::Kind::accent}});
        chart.panels = classes ? panels_of_classes(*own, experiment.data->training.class_names)
                               : std::vector<Panel>{panel_of_levels(*own, *samples)};
    }
    chart.panels.insert(chart.panels.begin(), std::move(*panel));
    const auto tests     = final_test_set(experiment);   // for images, whose scored rows are the calibration rows
    const auto scores_by = [&](RecalibrationKind kind) {
        const auto other = recalibrated_by(run, kind);
        return tests ? final_test_scores(other, stop, options) : scores(other, stop, options);
    };
    const auto before = scores_by(RecalibrationKind::none);
    if (stop.stop_requested())
        return {};
    const auto after = scores_by(kinds.front());
    if (stop.stop_requested())
        return {};
    chart.table       = before_and_after(before, after);
    const bool in_use = experiment.study.prediction.recalibration == kinds.front();
    chart.caption = "Recalibration by " + recalibration_text(shown) + ", fitted on " + std::to_string(samples->n_rows)
                    + (samples->n_rows < samples->n_all ? " of " + std::to_string(samples->n_all) : "")
                    + " calibration rows"
                    + (halves_calibration_rows(*recalibrated_by(run, kinds.front()).experiment)
                           ? ", of which conformal prediction has the other half"
                           : "")
                    + ": mean NLL " + number_text(shown.nll_before, 4) + " → " + number_text(shown.nll_after, 4)
                    + " nats. The table compares the scores of the " + (tests ? *tests : scored_set(experiment)).name
                    + " before and after." + (in_use ? "" : " It is not applied: the setting Recalibration is None.");
    return with_setting(std::move(chart), run, unrecalibrated_predictive_of(run, {}).n_samples());
}

}   // namespace

View recalibration_view()
{
    return {
        .id    = "recalibration",
        .title = "Recalibration",
        .group = ViewGroup::scores,
        .help =
            "How far the confidence of the network must be corrected. The curve is the mean NLL of the calibration "
            "rows, which training does not use, against one number: the temperature T that divides the logits of each "
            "weight sample, or the factor c of the predictive standard deviation. The circle is the minimum; T > 1 or "
            "c > 1 means that the network is overconfident. The table shows the scores of the test rows before and "
            "after. With the empirical CDF, a second picture shows how often targets were below each predicted level, "
            "and the map that corrects the levels. Choose it in the setting Recalibration to apply it in all views. "
            "Sources: Guo et al. 2017; Laves et al. 2021; Kuleshov et al. 2018.",
        .cost         = Cost::all_rows,
        .with_results = false,
        .why_not      = why_no_recalibration,
        .make         = make_recalibration};
}

}   // namespace credence
