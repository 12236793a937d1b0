// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

namespace credence {

/// Where the probabilities of a triangle's panel stand in the plane: the first corner at (0, 0), the second at (1, 0), the third at (½, √3/2).
struct PlanePlace {
    double x = 0, y = 0;
};
PlanePlace triangle_place(double first, double second);

/// The way back: the probabilities of the first and the second class; outside the triangle one of the three is negative.
struct TrianglePlace {
    double first = 0, second = 0;
    double third() const { return 1 - first - second; }
    bool inside() const { return first >= 0 && second >= 0 && third() >= 0; }
};
TrianglePlace triangle_probabilities(double x, double y);

/// The panel as a picture of the plane: lines and points are moved to their places, the axes are hidden and leave room for the names of the corners.
/// Panels without a triangle stay as they are.
Panel on_plane(Panel panel);

}   // namespace credence
