// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/regression_rows.h"

#include "foundation/number_text.h"
#include "foundation/statistics.h"
#include "prediction/calibration.h"
#include "views/compare_runs.h"
#include "views/run_summary.h"

#include <algorithm>
#include <vector>

namespace credence {

namespace {

/// Coverage and PIT of one run, and the scores in its table.
struct NumberCalibration {
    CoverageCurve curve;
    UniformHistogram pit;
    double crps = 0, interval_score = 0, mean_width = 0;
    std::vector<double> widths;   ///< rising
    const RegressionRows* rows;

    explicit NumberCalibration(const RegressionRows& of)
        : curve(coverage_curve(of.pit)), pit(uniform_histogram(of.pit, histogram_bins(static_cast<long>(of.n())))),
          crps(mean_of(of.crps)), rows(&of)
    {
        std::vector<double> scores;
        for (std::size_t i = 0; i < of.n(); ++i) {
            widths.push_back(of.upper[i] - of.lower[i]);
            scores.push_back(credence::interval_score(of.lower[i], of.upper[i], of.observed[i], of.level));
        }
        interval_score = mean_of(scores);
        mean_width     = mean_of(widths);
        std::ranges::sort(widths);
    }

    double coverage() const { return static_cast<double>(rows->n_inside()) / static_cast<double>(rows->n()); }
    double centre(std::size_t bin) const
    {
        return (static_cast<double>(bin) + 0.5) / static_cast<double>(pit.counts.size());
    }
};

Panel coverage_panel(const CoverageCurve& curve)
{
    Panel panel{.title        = "Coverage against level",
                .x            = {.label = "Level of the interval", .range = Range{0, 1}},
                .y            = {.label = "Share of rows inside", .range = Range{0, 1}},
                .equal_aspect = true};
    panel.series.push_back(Band{.name  = "Range if calibrated",
                                .x     = curve.level,
                                .lower = curve.lower,
                                .upper = curve.upper,
                                .tone  = {Tone::Kind::muted}});
    panel.series.push_back(Rule{.direction = Rule::Direction::diagonal, .label = "calibrated"});
    return panel;
}

/// From (0, 0) to (1, 1).
Line coverage_line(const CoverageCurve& curve)
{
    Line line{.x = {0}, .y = {0}};
    line.x.insert(line.x.end(), curve.level.begin(), curve.level.end());
    line.y.insert(line.y.end(), curve.coverage.begin(), curve.coverage.end());
    line.x.push_back(1);
    line.y.push_back(1);
    return line;
}

Panel pit_panel(const UniformHistogram& pit)
{
    const auto highest = static_cast<double>(std::max(std::ranges::max(pit.counts), pit.high));
    Panel panel{.title = "PIT histogram",
                .x     = {.label = "PIT, F(y)", .range = Range{0, 1}},
                .y     = {.label = "Rows", .range = Range{0, 1.1 * highest}}};
    const auto low = static_cast<double>(pit.low), high = static_cast<double>(pit.high);
    panel.series.push_back(Band{.name  = "Range if calibrated",
                                .x     = {0, 1},
                                .lower = {low, low},
                                .upper = {high, high},
                                .tone  = {Tone::Kind::muted}});
    panel.series.push_back(Rule{.direction = Rule::Direction::horizontal,
                                .at        = static_cast<double>(pit.n) / static_cast<double>(pit.counts.size()),
                                .label     = "uniform"});
    return panel;
}

std::string caption_of_ranges(const NumberCalibration& of)
{
    return "Share of rows inside their central interval against its level, and the histogram of the probability "
           "integral transform F(y), where F is the predictive distribution of a new observation. Grey: 95 % range of "
           "calibrated predictions (binomial, simultaneous over "
           + std::to_string(of.curve.level.size()) + " levels and over " + std::to_string(of.pit.counts.size())
           + " bins).";
}

}   // namespace

Chart to_chart_of_calibration(const RegressionRows& rows)
{
    Chart chart{.id = "calibration", .title = "Calibration", .columns = 2};
    if (rows.n() == 0) {
        chart.message = "There are no rows to score. Set a test share above 0.";
        return chart;
    }
    const NumberCalibration of(rows);
    Panel coverage = coverage_panel(of.curve), pit = pit_panel(of.pit);
    Line line = coverage_line(of.curve);
    line.name = "Predictive intervals";
    line.tone = {Tone::Kind::posterior};
    coverage.series.push_back(std::move(line));
    coverage.series.push_back(Points{.name   = "Level of the Study, " + percent_text(rows.level),
                                     .x      = {rows.level},
                                     .y      = {of.coverage()},
                                     .tone   = {Tone::Kind::accent},
                                     .marker = Marker::diamond,
                                     .size   = 8});
    Bars bars{
        .name = "Rows", .width = 1.0 / static_cast<double>(of.pit.counts.size()), .tone = {Tone::Kind::posterior}};
    for (std::size_t b = 0; b < of.pit.counts.size(); ++b) {
        bars.position.push_back(of.centre(b));
        bars.height.push_back(static_cast<double>(of.pit.counts[b]));
    }
    bars.data_rows.resize(of.pit.counts.size());
    for (std::size_t i = 0; i < rows.n(); ++i)
        bars.data_rows[uniform_bin(rows.pit[i], of.pit.counts.size())].push_back({DataRow::Part::scored, rows.rows[i]});
    pit.series.insert(pit.series.begin(), std::move(bars));
    chart.panels = {std::move(coverage), std::move(pit)};

    const std::string level = percent_text(rows.level), unit = target_unit(rows.target);
    const Range range = share_interval(rows.n_inside(), static_cast<long>(rows.n()));
    Table table{.columns = {{"Quantity"}, {"Value"}, {"Unit"}}, .rows = {}};
    const auto add = [&](const std::string& name, Cell value, const std::string& of_unit = "") {
        table.rows.push_back({name, std::move(value), of_unit});
    };
    add("Rows", static_cast<long>(rows.n()));
    add("Coverage of the " + level + " predictive interval", of.coverage());
    add("Lower end of the binomial 95 % interval of this coverage", range.first);
    add("Upper end of the binomial 95 % interval of this coverage", range.second);
    add("Mean distance of coverage and level, over all levels", of.curve.mean_gap);
    add("Levels outside the range, of " + std::to_string(of.curve.level.size()), of.curve.outside());
    add("PIT bins outside the range, of " + std::to_string(of.pit.counts.size()), of.pit.outside());
    add("Mean PIT (½ if unbiased)", mean_of(rows.pit));
    add("CRPS", of.crps, unit);
    add("Interval score of the " + level + " predictive interval", of.interval_score, unit);
    add("Mean width of the predictive interval", of.mean_width, unit);
    for (const double p : {0.05, 0.25, 0.5, 0.75, 0.95})
        add(percent_text(p) + " quantile of the width", quantile_of_sorted(of.widths, p), unit);
    chart.table   = std::move(table);
    chart.caption = caption_of_ranges(of);
    return chart;
}

Chart overlay_of_calibration(std::span<const std::string> names, std::span<const TestPredictions> runs)
{
    Chart chart{.id = "calibration", .title = "Calibration of several runs", .columns = 2};
    chart.table = Table{.columns = {{"Run"},
                                    {"Level"},
                                    {"Coverage", "", 4},
                                    {"Mean distance of coverage and level", "", 4},
                                    {"CRPS", target_unit(runs.front().numbers->target)},
                                    {"Interval score", target_unit(runs.front().numbers->target)},
                                    {"Mean width", target_unit(runs.front().numbers->target)}},
                        .rows    = {}};
    Panel coverage, pit;
    double highest = 0;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const auto& rows = *runs[r].numbers;
        const NumberCalibration of(rows);
        if (r == 0) {
            coverage      = coverage_panel(of.curve);
            pit           = pit_panel(of.pit);
            chart.caption = caption_of_ranges(of);
        }
        highest   = std::max(highest, pit.y.range->second);
        Line line = coverage_line(of.curve);
        line.name = names[r];
        line.tone = category(static_cast<int>(r));
        coverage.series.push_back(std::move(line));
        Line outline{.name = names[r], .x = {0}, .y = {0}, .tone = category(static_cast<int>(r))};
        const auto bins = static_cast<double>(of.pit.counts.size());
        for (std::size_t b = 0; b < of.pit.counts.size(); ++b)
            for (const std::size_t end : {b, b + 1}) {
                outline.x.push_back(static_cast<double>(end) / bins);
                outline.y.push_back(static_cast<double>(of.pit.counts[b]));
                highest = std::max(highest, 1.1 * outline.y.back());
            }
        outline.x.push_back(1);
        outline.y.push_back(0);
        pit.series.push_back(std::move(outline));
        chart.table->rows.push_back(
            {names[r], rows.level, of.coverage(), of.curve.mean_gap, of.crps, of.interval_score, of.mean_width});
    }
    pit.y.range  = Range{0, highest};
    chart.panels = {std::move(coverage), std::move(pit)};
    return chart;
}

}   // namespace credence
