// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/roc_overlay.h"

#include "charts/number_text.h"
#include "charts/thin_line.h"
#include "figures/mean_and_sd.h"
#include "figures/roc_figure.h"

#include <algorithm>
#include <array>

namespace credence {

namespace {

constexpr std::size_t roc_colours = 8;   // afterwards the colours repeat with other line styles

RocCurve mean_over_runs(const RocOfRuns& entry)
{
    std::vector<const RocCurve*> curves;
    for (const auto& mean : entry.means)
        curves.push_back(&mean);
    return mean_curve(curves);
}

MeanAndSd area_of(const RocOfRuns& entry)
{
    std::vector<double> areas;
    for (const auto& mean : entry.means)
        areas.push_back(mean.area);
    return mean_and_sd(areas).value_or(MeanAndSd{});
}

std::string area_text(const MeanAndSd& area)
{
    return fixed_text(area.mean, 4) + (area.sd ? " ± " + fixed_text(*area.sd, 4) : "");
}

/// The window that contains both corners.
void widen(std::optional<std::pair<Range, Range>>& corner, const std::optional<std::pair<Range, Range>>& other)
{
    if (!other)
        return;
    if (!corner)
        corner = other;
    corner->first.second = std::max(corner->first.second, other->first.second);
    corner->second.first = std::min(corner->second.first, other->second.first);
}

}   // namespace

Chart overlay_of_rocs(std::span<const RocOfRuns> entries)
{
    Chart chart{.id = "overlay_roc", .title = "ROC of several runs"};
    const bool seeds = std::any_of(entries.begin(), entries.end(), [](const auto& e) { return e.means.size() > 1; });
    Panel panel{.title        = "Mean over the classes",
                .x            = {.label = "False positive rate", .range = Range{0, 1}},
                .y            = {.label = "True positive rate", .range = Range{0, 1}},
                .series       = {},
                .legend       = true,
                .equal_aspect = true};
    Table table{.columns = {{"Run"}, {"AUROC", "", 5}}, .rows = {}};
    if (seeds)
        table.columns = {{"Setting"}, {"Runs"}, {"AUROC", "", 5}, {"sd", "", 5}};
    std::optional<std::pair<Range, Range>> corner;
    double tolerance = 0;
    panel.series.push_back(Rule{.direction = Rule::Direction::diagonal, .label = "chance"});
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (entries[i].means.empty())
            continue;
        const auto mean = mean_over_runs(entries[i]);
        const auto area = area_of(entries[i]);
        constexpr std::array styles{LineStyle::solid, LineStyle::dashed, LineStyle::dotted};
        Line line{.name  = entries[i].name + ": " + area_text(area),
                  .x     = mean.false_positive,
                  .y     = mean.true_positive,
                  .tone  = category(static_cast<int>(i)),
                  .style = styles[i / roc_colours % styles.size()],
                  .width = 2};
        tolerance = std::max(tolerance, thin_line(line.x, line.y));
        panel.series.push_back(std::move(line));
        widen(corner, corner_of(mean));
        if (seeds)
            table.rows.push_back({entries[i].name, static_cast<long>(area.n), area.mean,
                                  area.sd ? Cell(*area.sd) : Cell(std::string())});
        else
            table.rows.push_back({entries[i].name, area.mean});
    }
    if (table.rows.empty()) {
        chart.message = "No run is selected. Tick the runs to overlay.";
        return chart;
    }
    add_with_corner(chart, std::move(panel), corner);
    chart.table = std::move(table);
    chart.caption =
        "Mean of the ROC curves of each class against all others, by its mean probability, and the area under it "
        "(AUROC)"
        + std::string(seeds ? ": mean over the seeds ± standard deviation." : ".");
    if (tolerance > 1e-3)
        chart.caption += " Curves are drawn to within " + number_text(tolerance, 1) + " of the side.";
    return chart;
}

}   // namespace credence
