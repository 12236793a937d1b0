// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace credence::view_support {

using WeightVector = std::span<const float>;

/// A plane in weight space with orthonormal directions: w = origin + x e₁ + y e₂.
struct WeightPlane {
    std::vector<double> origin, first, second;
    bool random = false;   ///< a direction was chosen at random, because the points are collinear

    std::vector<double> at(double x, double y) const
    {
        auto out = origin;
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] += x * first[i] + y * second[i];
        return out;
    }
};

double length_of(const std::vector<double>& v);

/// Constructs the plane by Gram–Schmidt on two or three points; missing directions are random.
WeightPlane plane_through(std::span<const WeightVector> points, std::uint64_t seed);

struct ProjectedPoint {
    double x = 0, y = 0, distance = 0;   ///< coordinates, and distance from the plane
};

ProjectedPoint projection_of(const WeightPlane& plane, WeightVector weights);

/// A curve between two weight vectors, the quadratic Bézier curve
///     B(t) = (1 − t)² a + 2 t (1 − t) θ + t² b,  0 ≤ t ≤ 1.
/// With θ = (a + b)/2 it is the straight line.
/// Source: Garipov, Izmailov, Podoprikhin, Vetrov and Wilson 2018 (arXiv:1802.10026), equation (4).
struct ModeCurve {
    std::vector<double> a, control, b;

    std::vector<double> at(double t) const;
};

/// Writes the gradient of a potential at the weights.
using PotentialGradient = std::function<void(std::span<const double> weights, std::span<double> gradient)>;

/// The curve whose θ approximately minimises the mean potential over t, by Adam from the straight line. The points t
/// are a fixed sequence, so the result is a pure function of its arguments.
/// @return  empty: stopped
std::optional<ModeCurve> low_curve(WeightVector a, WeightVector b, const PotentialGradient& gradient_at, int steps,
                                   const std::stop_token& stop);

}   // namespace credence::view_support
