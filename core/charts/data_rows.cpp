// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/data_rows.h"

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
