// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

namespace credence {

/// Position of probabilities in the plane of a triangle panel: the first corner at (0, 0), the
/// second at (1, 0), the third at (½, √3/2).
struct PlanePlace {
    double x = 0, y = 0;
};
PlanePlace triangle_place(double first, double second);

/// The inverse: the probabilities of the first and second class; outside the triangle one of the
/// three is negative.
struct TrianglePlace {
    double first = 0, second = 0;
    double third() const { return 1 - first - second; }
    bool inside() const { return first >= 0 && second >= 0 && third() >= 0; }
};
TrianglePlace triangle_probabilities(double x, double y);

/// The panel as a picture in the plane: lines and points are transformed, the axes are hidden and
/// leave space for the names of the corners.
/// Panels without a triangle are unchanged.
Panel on_plane(Panel panel);

}   // namespace credence
