// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/contours.h"

#include "charts/contours.h"

namespace credence {

std::vector<QLineF> contourLines(const HeatMap& map, double level)
{
    std::vector<QLineF> lines;
    for (const auto& [x1, y1, x2, y2] : contour_segments(map, level))
        lines.emplace_back(x1, y1, x2, y2);
    return lines;
}

}   // namespace credence
