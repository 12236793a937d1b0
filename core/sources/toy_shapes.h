// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sources/toy.h"

namespace credence {

// The shapes of the toy data without noise: point i of the n points of class k.

struct Point {
    double x, y;
};

/// Two interleaving half circles of radius 1, angles t = π i/(n−1): (cos t, sin t) and (1 − cos t,
/// ½ − sin t).
Point moon(int k, int i, int n);
/// Two circles round the origin, class 0 of radius 1, class 1 of radius ½, angles 2π i/n.
Point circle(int k, int i, int n);
/// Arm k of K: radius r from 0.1 to 1, angle 2π (k/K + r): one turn.
Point spiral_arm(int k, int K, int i, int n);
/// Four squares [0.1, 1]² with signs; class 0 where the signs agree, class 1 where they differ.
/// @param u, v  uniform on (0, 1)
Point xor_square(int k, int i, double u, double v);
/// Centres on a circle, turned by `rotation` (in turns); neighbours at least 1.5 apart, radius at
/// least 1.
Point blob_centre(int k, int K, double rotation);
/// (2, 2), (−2, 2), (−2, −2), (2, −2): four well separated classes (adapted from Hobbhahn 2020,
/// section 5.4, which gives no centres).
Point gaussian_centre(int k);

/// Maps u, uniform on (0, 1), to an input of a regression toy: Blundell's curve on [0, ½], cubic on
/// [−4, 4], sine on [−1, −0.3] ∪ [0.3, 1], step on [−1, 1], growing noise on [0, 1].
double regression_input(ToyKind kind, double u);

}   // namespace credence
