// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/triangle.h"

#include <numbers>

namespace credence {

namespace {

constexpr double height = std::numbers::sqrt3 / 2;

void move(std::vector<double>& first, std::vector<double>& second)
{
    for (std::size_t i = 0; i < first.size() && i < second.size(); ++i) {
        const PlanePlace place = triangle_place(first[i], second[i]);
        first[i]               = place.x;
        second[i]              = place.y;
    }
}

}   // namespace

PlanePlace triangle_place(double first, double second)
{
    const double third = 1 - first - second;
    return {second + third / 2, height * third};
}

TrianglePlace triangle_probabilities(double x, double y)
{
    const double third = y / height, second = x - third / 2;
    return {1 - second - third, second};
}

Panel on_plane(Panel panel)
{
    if (!panel.triangle)
        return panel;
    for (Series& series : panel.series) {
        if (auto* line = std::get_if<Line>(&series))
            move(line->x, line->y);
        if (auto* points = std::get_if<Points>(&series))
            move(points->x, points->y);
    }
    panel.x            = {.range = Range{-0.09, 1.09}, .hidden = true};
    panel.y            = {.range = Range{-0.12, height + 0.1}, .hidden = true};
    panel.equal_aspect = true;
    return panel;
}

}   // namespace credence
