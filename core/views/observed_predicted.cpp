// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/shared_captions.h"
#include "data/dataset.h"
#include "foundation/number_text.h"
#include "views/regression_rows.h"
#include "views/view_support.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace credence {

using namespace view_support;

namespace {

/// Returns the common range of both axes: all means and targets, and the intervals unless they
/// extend far beyond.
Range range_of_observed(std::span<const std::shared_ptr<const RegressionRows>> runs)
{
    Range values{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    Range intervals  = values;
    const auto widen = [](Range& range, double low, double high) {
        range = {std::min(range.first, low), std::max(range.second, high)};
    };
    for (const auto& rows : runs)
        for (std::size_t i = 0; i < rows->n(); ++i) {
            widen(values, std::min(rows->observed[i], rows->mean[i]), std::max(rows->observed[i], rows->mean[i]));
            widen(intervals, rows->lower[i], rows->upper[i]);
        }
    constexpr double most = 0.5, margin = 0.04;   // shares of the height
    const double height = std::max(values.second - values.first, 1e-9 * std::abs(values.second));
    const double low    = std::max(std::min(values.first, intervals.first), values.first - most * height);
    const double high   = std::min(std::max(values.second, intervals.second), values.second + most * height);
    return {low - margin * (high - low), high + margin * (high - low)};
}

/// Describes the row nearest to the pointer.
std::function<std::string(double, double)> words_at_observed(std::shared_ptr<const RegressionRows> rows, Range range)
{
    return [rows = std::move(rows), most = 0.02 * (range.second - range.first)](double x, double y) -> std::string {
        std::size_t nearest = rows->n();
        double least        = most;
        for (std::size_t i = 0; i < rows->n(); ++i)
            if (const double away = std::hypot(rows->observed[i] - x, rows->mean[i] - y); away < least) {
                least   = away;
                nearest = i;
            }
        if (nearest == rows->n())
            return {};
        const auto text = [](double value) { return number_text(value, 4); };
        return "Row " + std::to_string(rows->rows[nearest]) + "\nObserved: " + text(rows->observed[nearest])
               + "\nPredicted: " + text(rows->mean[nearest]) + ", from " + text(rows->lower[nearest]) + " to "
               + text(rows->upper[nearest]);
    };
}

/// @param linked  a click on a point selects its row
Panel panel_of_observed(const std::shared_ptr<const RegressionRows>& rows, const std::string& title, Range range,
                        bool linked)
{
    Panel panel{.title        = title,
                .note         = words_of_coverage(*rows),
                .x            = {.label = "Observed " + rows->target, .range = range},
                .y            = {.label = "Predicted " + rows->target, .range = range},
                .series       = {},
                .equal_aspect = true,
                .words_at     = words_at_observed(rows, range)};
    const std::string level = percent_text(rows->level) + " interval";
    std::vector<Series> points;
    for (const bool inside : {true, false}) {
        const Tone tone{inside ? Tone::Kind::posterior : Tone::Kind::wrong};
        IntervalBars bars{.thin = true};
        Points means{.name   = inside ? "Inside the " + level : "Outside",
                     .tone   = tone,
                     .marker = inside ? Marker::circle : Marker::diamond};
        for (std::size_t i = 0; i < rows->n(); ++i)
            if (rows->inside(i) == inside) {
                bars.bars.push_back({rows->observed[i], rows->lower[i], rows->mean[i], rows->upper[i], tone});
                means.x.push_back(rows->observed[i]);
                means.y.push_back(rows->mean[i]);
                if (linked)
                    means.data_rows.push_back({DataRow::Part::scored, rows->rows[i]});
            }
        panel.series.push_back(std::move(bars));
        points.push_back(std::move(means));
    }
    panel.series.push_back(Rule{.direction = Rule::Direction::diagonal});
    for (auto& means : points)
        panel.series.push_back(std::move(means));
    return panel;
}

std::string words_of_observed(double level)
{
    return "Predicted mean against the observed target, with " + percent_text(level)
           + " predictive intervals (vertical lines). Predictions on the dashed diagonal are exact.";
}

std::optional<std::string> why_no_observed(const Experiment& experiment)
{
    if (experiment.task() == Task::regression)
        return {};
    return "Observed and predicted values need a numeric target. For classes see the confusion matrix.";
}

std::optional<Chart> make_observed_predicted(const RunSnapshot& run, const ViewOptions& options,
                                             const std::stop_token& stop)
{
    const auto rows = regression_rows(run, options, stop);
    if (!rows)
        return {};
    return on_rows(to_chart_of_observed(*rows), run, *rows);
}

bool have_same_rows(const Experiment& a, const Experiment& b)
{
    const auto &first = *scored_set(a).data, &second = *scored_set(b).data;
    return &first == &second || (first.inputs == second.inputs && first.targets == second.targets);
}

/// Small multiples on one scale.
std::optional<Chart> compare_observed_predicted(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                                const std::stop_token& stop)
{
    Chart chart{.id = "observed_predicted", .title = "Observed and predicted"};
    if (runs.empty()) {
        chart.message = "No run is selected. Tick the runs to compare.";
        return chart;
    }
    const auto names = names_of(runs);
    std::vector<std::shared_ptr<const RegressionRows>> rows;
    std::vector<std::string> settings;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        if (const auto why = why_no_observed(*runs[r].experiment)) {
            chart.message = "Run \"" + names[r] + "\" cannot be compared. " + *why;
            return chart;
        }
        rows.push_back(regression_rows(runs[r], options, stop));
        if (!rows.back())
            return {};
        settings.push_back(setting_of(runs[r], rows.back()->n_samples));
    }
    const Range range = range_of_observed(rows);
    chart.columns     = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(runs.size()))));
    chart.caption     = words_of_observed(rows.front()->level);
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const bool linked = have_same_rows(*runs[r].experiment, *runs.front().experiment);
        chart.panels.push_back(panel_of_observed(rows[r], names[r], range, linked));
        chart.caption += " " + names[r] + ": " + sentence_of_coverage(*rows[r]);
    }
    chart.caption += settings_side_by_side(names, settings);
    return chart;
}

}   // namespace

Chart to_chart_of_observed(const RegressionRows& rows)
{
    const auto shared = std::make_shared<const RegressionRows>(rows);
    Chart chart{.id = "observed_predicted", .title = "Observed and predicted"};
    chart.caption = words_of_observed(rows.level) + " " + sentence_of_coverage(rows);
    chart.panels.push_back(panel_of_observed(shared, "", range_of_observed(std::span(&shared, 1)), true));
    return chart;
}

View observed_predicted_view()
{
    return {
        .id    = "observed_predicted",
        .title = "Observed and predicted",
        .group = ViewGroup::predictions,
        .help  = "The predicted mean of each test row against its observed target (training rows if there is no test "
                 "set). Vertical lines are predictive intervals at the level of the Study, noise included. "
                 "Rows outside their interval are orange. If the intervals are right, the share of rows inside equals "
                 "the level; the caption gives its exact binomial interval (Clopper and Pearson 1934). At most 1,000 "
                 "rows are drawn, evenly spaced. Click a point to select its row in all views. Several runs are drawn "
                 "side by side on one scale.",
        .asks  = Asks::outputs,
        .cost  = Cost::all_rows,
        .coarse_while_live = true,
        .why_not           = why_no_observed,
        .make              = make_observed_predicted,
        .compare           = compare_observed_predicted};
}

}   // namespace credence
