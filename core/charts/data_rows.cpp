// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/data_rows.h"

#include "foundation/number_text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace credence {

namespace {

/// Calls use(x, y, row) for each point that stands for a row.
template <class Use>
void for_each_point_with_row(const Panel& panel, Use use)
{
    for (const auto& series : panel.series)
        if (const auto* points = std::get_if<Points>(&series))
            for (std::size_t i = 0; i < std::min(points->data_rows.size(), points->x.size()); ++i)
                if (std::isfinite(points->x[i]) && std::isfinite(points->y[i]))
                    use(points->x[i], points->y[i], points->data_rows[i]);
}

}   // namespace

std::vector<PanelPoint> points_of(const Chart& chart, const DataRow& row)
{
    std::vector<PanelPoint> found;
    for (std::size_t panel = 0; panel < chart.panels.size(); ++panel)
        for_each_point_with_row(chart.panels[panel], [&](double x, double y, const DataRow& each) {
            if (each == row)
                found.push_back({static_cast<int>(panel), x, y});
        });
    return found;
}

std::optional<DataRow> nearest_row(const Panel& panel, const std::function<double(double x, double y)>& distance,
                                   double most)
{
    std::optional<DataRow> found;
    for_each_point_with_row(panel, [&](double x, double y, const DataRow& each) {
        if (const double away = distance(x, y); away <= most) {
            most  = away;
            found = each;
        }
    });
    return found;
}

std::optional<RowsOfBar> rows_of_bar(const Panel& panel, double x)
{
    for (const auto& series : panel.series)
        if (const auto* bars = std::get_if<Bars>(&series); bars && !bars->horizontal)
            for (std::size_t i = 0; i < std::min(bars->data_rows.size(), bars->position.size()); ++i) {
                const double lower = bars->position[i] - bars->width / 2, upper = bars->position[i] + bars->width / 2;
                if (lower <= x && x <= upper && !bars->data_rows[i].empty())
                    return RowsOfBar{panel.x.label + " " + fixed_text(lower, 2) + " to " + fixed_text(upper, 2),
                                     bars->data_rows[i]};
            }
    return {};
}

void mark_row(Chart& chart, const DataRow& row)
{
    for (const auto& point : points_of(chart, row))
        chart.panels[static_cast<std::size_t>(point.panel)].series.push_back(Points{.name   = {},
                                                                                    .x      = {point.x},
                                                                                    .y      = {point.y},
                                                                                    .tone   = {Tone::Kind::accent},
                                                                                    .marker = Marker::square,
                                                                                    .size   = 11,
                                                                                    .filled = false});
}

}   // namespace credence
