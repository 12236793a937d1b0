// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/toy_shapes.h"

#include "foundation/error.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace credence {

namespace {

constexpr double pi = std::numbers::pi;

/// 0 .. 1 in n equal steps, both ends included; a single point is in the middle.
double along(int i, int n) { return n > 1 ? double(i) / (n - 1) : 0.5; }

Point polar(double radius, double angle) { return {radius * std::cos(angle), radius * std::sin(angle)}; }

}   // namespace

Point moon(int k, int i, int n)
{
    const Point p = polar(1, pi * along(i, n));
    return k == 0 ? p : Point{1 - p.x, 0.5 - p.y};
}

Point circle(int k, int i, int n) { return polar(k == 0 ? 1 : 0.5, 2 * pi * i / n); }

Point spiral_arm(int k, int K, int i, int n)
{
    const double r = 0.1 + 0.9 * along(i, n);
    return polar(r, 2 * pi * (double(k) / K + r));
}

Point xor_square(int k, int i, double u, double v)
{
    const double first  = i % 2 == 0 ? 1 : -1;
    const double second = k == 0 ? first : -first;
    return {first * (0.1 + 0.9 * u), second * (0.1 + 0.9 * v)};
}

Point blob_centre(int k, int K, double rotation)
{
    const double radius = std::max(1.0, 0.75 / std::sin(pi / K));   // neighbours are 2 r sin(π/K) apart
    return polar(radius, 2 * pi * (rotation + double(k) / K));
}

Point gaussian_centre(int k) { return {k == 0 || k == 3 ? 2.0 : -2.0, k < 2 ? 2.0 : -2.0}; }

double regression_input(ToyKind kind, double u)
{
    switch (kind) {
    case ToyKind::blundell_curve: return 0.5 * u;
    case ToyKind::cubic: return 8 * u - 4;
    case ToyKind::sine_gap: return u < 0.5 ? -1 + 1.4 * u : 0.3 + 1.4 * (u - 0.5);
    case ToyKind::step: return 2 * u - 1;
    default: return u;
    }
}

double blundell_curve(double x, double epsilon)
{
    return x + 0.3 * std::sin(2 * pi * (x + epsilon)) + 0.3 * std::sin(4 * pi * (x + epsilon)) + epsilon;
}

std::pair<double, double> shown_range(ToyKind kind)
{
    if (task_of(kind) != Task::regression)
        throw Error(std::string(title_of(kind)) + " has classes and no curve, expected toy data for regression.");
    if (kind == ToyKind::blundell_curve)
        return {-0.2, 1.2};
    const double first = regression_input(kind, 0), last = regression_input(kind, 1);
    return {first - 0.5 * (last - first), last + 0.5 * (last - first)};
}

double noise_free(ToyKind kind, double x)
{
    switch (kind) {
    case ToyKind::blundell_curve: return blundell_curve(x, 0);
    case ToyKind::cubic: return x * x * x;
    case ToyKind::sine_gap: return std::sin(2 * pi * x);
    case ToyKind::step: return x < 0 ? -1 : 1;
    case ToyKind::heteroscedastic: return std::sin(2 * pi * x);
    default: throw Error(std::string(title_of(kind)) + " has classes and no curve, expected toy data for regression.");
    }
}

}   // namespace credence
