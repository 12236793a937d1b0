// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/arrows.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace credence {

void add_arrow(Line& arrows, std::pair<double, double> from, std::pair<double, double> to, Range x, Range y)
{
    constexpr double head = 0.018, opening = 0.45;   // length as a share of the axes; half its angle, radians
    constexpr double gap = std::numeric_limits<double>::quiet_NaN();
    const double width = x.second - x.first, height = y.second - y.first;
    const double dx = (to.first - from.first) / width, dy = (to.second - from.second) / height;
    const double length = std::hypot(dx, dy);
    if (!(length > 0))
        return;
    const double size = std::min(head, length / 3), angle = std::atan2(dy, dx);
    const auto add = [&](double px, double py) {
        arrows.x.push_back(px);
        arrows.y.push_back(py);
    };
    const auto add_side = [&](double side) {
        add(to.first - size * std::cos(angle + side) * width, to.second - size * std::sin(angle + side) * height);
    };
    add(from.first, from.second);
    add(to.first, to.second);
    add(gap, gap);
    add_side(opening);
    add(to.first, to.second);
    add_side(-opening);
    add(gap, gap);
}

}   // namespace credence
