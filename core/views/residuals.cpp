// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/density.h"
#include "foundation/number_text.h"
#include "network/noise_distribution.h"
#include "views/regression_rows.h"
#include "views/view_support.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace credence {

using namespace view_support;

namespace {

/// Points for the rows inside and outside of their intervals, with their rows.
void add_residual_points(Panel& panel, const RegressionRows& rows, const std::vector<double>& x,
                         const std::vector<double>& y)
{
    for (const bool inside : {true, false}) {
        Points points{.name   = inside ? "Inside the " + percent_text(rows.level) + " interval" : "Outside",
                      .tone   = {inside ? Tone::Kind::posterior : Tone::Kind::wrong},
                      .marker = inside ? Marker::circle : Marker::diamond};
        for (std::size_t i = 0; i < rows.n(); ++i)
            if (rows.inside(i) == inside) {
                points.x.push_back(x[i]);
                points.y.push_back(y[i]);
                points.data_rows.push_back({DataRow::Part::scored, rows.rows[i]});
            }
        panel.series.push_back(std::move(points));
    }
}

Rule horizontal_rule(double at, const std::string& label)
{
    return {.direction = Rule::Direction::horizontal, .at = at, .label = label};
}

Panel against_sd(const RegressionRows& rows, const std::vector<double>& residuals, double z)
{
    const double widest = *std::max_element(rows.sd.begin(), rows.sd.end());
    Panel panel{.title  = "By predicted sd",
                .x      = {.label = "Predicted standard deviation", .range = Range{0, 1.05 * widest}},
                .y      = {.label = "Observed − predicted " + rows.target},
                .series = {}};
    panel.series.push_back(horizontal_rule(0, ""));
    for (const double side : {1.0, -1.0})
        panel.series.push_back(Line{.name  = side > 0 ? "± " + fixed_text(z, 2) + " standard deviations" : "",
                                    .x     = {0, 1.05 * widest},
                                    .y     = {0, side * z * 1.05 * widest},
                                    .tone  = {Tone::Kind::muted},
                                    .style = LineStyle::dashed});
    add_residual_points(panel, rows, rows.sd, residuals);
    return panel;
}

Panel against_mean(const RegressionRows& rows, const std::vector<double>& standardised, double z)
{
    Panel panel{.title  = "By predicted mean",
                .x      = {.label = "Predicted " + rows.target},
                .y      = {.label = "Standardised residual"},
                .series = {}};
    panel.series.push_back(horizontal_rule(0, ""));
    for (const double side : {1.0, -1.0})
        panel.series.push_back(horizontal_rule(side * z, (side > 0 ? "" : "−") + fixed_text(z, 2)));
    add_residual_points(panel, rows, rows.mean, standardised);
    return panel;
}

Panel histogram_of_residuals(const std::vector<double>& standardised)
{
    Panel panel{
        .title = "Distribution", .x = {.label = "Standardised residual"}, .y = {.label = "Density"}, .series = {}};
    panel.series.push_back(bars_of(histogram(standardised, 40), "Rows", {Tone::Kind::posterior}));
    const auto [low, high] = std::minmax_element(standardised.begin(), standardised.end());
    Line normal{.name = "Standard normal", .tone = {Tone::Kind::neutral}, .width = 2};
    constexpr int steps = 120;
    for (int i = 0; i <= steps; ++i) {
        const double from = std::min(-3.5, *low), to = std::max(3.5, *high);
        normal.x.push_back(from + (to - from) * i / steps);
        normal.y.push_back(normal_density(normal.x.back(), 0, 1));
    }
    panel.series.push_back(std::move(normal));
    return panel;
}

std::optional<std::string> why_no_residuals(const Experiment& experiment)
{
    if (experiment.task() == Task::regression)
        return {};
    return "Residuals need a numeric target. For classes see the view Calibration.";
}

std::optional<Chart> make_residuals(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    const auto rows = regression_rows(run, options, stop);
    if (!rows)
        return {};
    return on_rows(to_chart_of_residuals(*rows), run, *rows);
}

}   // namespace

Chart to_chart_of_residuals(const RegressionRows& rows)
{
    const double z = normal_noise()->quantile_of_e((1 + rows.level) / 2);
    std::vector<double> residuals, standardised;
    double sum = 0, squares = 0;
    long beyond = 0;
    for (std::size_t i = 0; i < rows.n(); ++i) {
        residuals.push_back(rows.residual(i));
        standardised.push_back(rows.standardised(i));
        sum += standardised.back();
        squares += standardised.back() * standardised.back();
        beyond += std::abs(standardised.back()) > z ? 1 : 0;
    }
    const auto n      = static_cast<double>(rows.n());
    const double mean = sum / n, sd = std::sqrt(std::max(0.0, squares / n - mean * mean));
    Chart chart{.id = "residuals", .title = "Residuals", .columns = 3};
    chart.panels = {against_sd(rows, residuals, z), against_mean(rows, standardised, z),
                    histogram_of_residuals(standardised)};
    chart.caption =
        "Residuals (observed − predicted mean) against the predicted standard deviation of a new observation, "
        "and residuals divided by it. Standardised residuals have mean "
        + fixed_text(mean, 2) + " and standard deviation " + fixed_text(sd, 2) + "; expected 0 and 1. Beyond ± "
        + fixed_text(z, 2) + ": " + std::to_string(beyond) + " of " + std::to_string(rows.n()) + " rows; expected "
        + fixed_text(n * (1 - rows.level), 1) + " if the predictive distribution is normal.";
    return chart;
}

View residuals_view()
{
    return {
        .id    = "residuals",
        .title = "Residuals",
        .group = ViewGroup::scores,
        .help  = "Errors of the predictions compared with the predicted standard deviations: do they match? Residual: "
                 "observed target − predicted mean. Predicted standard deviation: √(var f + mean s²), of a new "
                 "observation, noise included. Left: about a share α of the rows should be between the lines at ± z "
                 "sd, where α is the level of the Study and z is the standard normal quantile of (1 + α)/2. If large "
                 "residuals have small standard deviations, the network is overconfident there. Centre and right: "
                 "residuals divided by the standard deviation, against the predicted mean and as a histogram with the "
                 "standard normal density. Rows outside their predictive interval are orange. Click a point to select "
                 "its row in all views.",
        .asks  = Asks::outputs,
        .cost  = Cost::all_rows,
        .coarse_while_live = true,
        .why_not           = why_no_residuals,
        .make              = make_residuals};
}

}   // namespace credence
