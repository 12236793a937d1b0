// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/dataset.h"

#include <utility>

namespace credence {

enum class ToyKind {
    two_moons,
    circles,
    spirals,
    xor_squares,
    blobs,
    four_gaussians,   // classification, 2-D
    blundell_curve,
    cubic,
    sine_gap,
    step,
    heteroscedastic,   // regression, 1-D
};

/// Interpretation of the noise of Blundell's curve, N(0, 0.02) (docs/maths.md, section 11).
enum class CurveNoise { standard_deviation, variance };

struct ToyOptions {
    ToyKind kind = ToyKind::two_moons;
    int n        = 500;   ///< rows, 2..1,000,000
    /// Standard deviation, in the data's units, 0..1e6; for blundell_curve the number 0.02 of
    /// Blundell et al. 2015, section 5.2
    double noise           = 0.1;
    double class_ratio     = 0.5;   ///< share of class 0, two-class kinds only, in (0, 1)
    int classes            = 3;     ///< blobs and spirals: K in 2..100
    CurveNoise curve_noise = CurveNoise::standard_deviation;
    std::uint64_t seed     = 1;

    bool operator==(const ToyOptions&) const = default;
};

/// Shapes without noise are below. Classes share the n rows equally or by class_ratio, no
/// class is empty, rows are shuffled. Classification: independent noise on both coordinates.
/// Regression: x uniform, y = curve(x) + noise · N(0, 1), except Blundell's curve, where the noise
/// enters the curve, and growing noise, whose standard deviation is noise · (0.1 + 0.9 x).
/// @throws Error (field "data.…") if an option is out of range
Dataset make_toy(const ToyOptions& options);

Task task_of(ToyKind kind);
const char* title_of(ToyKind kind);   ///< "Two moons"
double default_noise(ToyKind kind);

/// The displayed range of x of a regression toy, including some extrapolation. Blundell's curve:
/// −0.2 to 1.2 for x in [0, 0.5] (docs/maths.md, section 11); the others: the range of x widened by
/// half on each side. @param kind regression only
std::pair<double, double> shown_range(ToyKind kind);

/// y = x + 0.3 sin 2π(x+ε) + 0.3 sin 4π(x+ε) + ε (Blundell et al. 2015, section 5.2)
double blundell_curve(double x, double epsilon);
/// The noise-free curve of a regression toy at x. @param kind regression only
double noise_free(ToyKind kind, double x);

// The shapes of the toy data without noise: point i of the n points of class k.

struct ToyPoint {
    double x, y;
};

/// Two interleaving half circles of radius 1, angles t = π i/(n−1): (cos t, sin t) and (1 − cos t,
/// ½ − sin t).
ToyPoint moon(int k, int i, int n);
/// Two circles round the origin, class 0 of radius 1, class 1 of radius ½, angles 2π i/n.
ToyPoint circle(int k, int i, int n);
/// Arm k of K: radius r from 0.1 to 1, angle 2π (k/K + r): one turn.
ToyPoint spiral_arm(int k, int K, int i, int n);
/// Four squares [0.1, 1]² with signs; class 0 where the signs agree, class 1 where they differ.
/// @param u, v  uniform on (0, 1)
ToyPoint xor_square(int k, int i, double u, double v);
/// Centres on a circle, turned by `rotation` (in turns); neighbours at least 1.5 apart, radius at
/// least 1.
ToyPoint blob_centre(int k, int K, double rotation);
/// (2, 2), (−2, 2), (−2, −2), (2, −2): four well separated classes (adapted from Hobbhahn 2020,
/// section 5.4, which gives no centres).
ToyPoint gaussian_centre(int k);

/// Maps u, uniform on (0, 1), to an input of a regression toy: Blundell's curve on [0, ½], cubic on
/// [−4, 4], sine on [−1, −0.3] ∪ [0.3, 1], step on [−1, 1], growing noise on [0, 1].
double regression_input(ToyKind kind, double u);

}   // namespace credence
