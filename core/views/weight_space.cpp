// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/weight_space.h"

#include "foundation/progress.h"
#include "random/noise.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace credence::view_support {

namespace {

std::vector<double> difference_of(WeightVector to, const std::vector<double>& from)
{
    std::vector<double> out(from.size());
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = static_cast<double>(to[i]) - from[i];
    return out;
}

/// Removes the part along a unit vector, twice, since the first pass leaves rounding errors.
void make_orthogonal(std::vector<double>& v, const std::vector<double>& unit)
{
    for (int pass = 0; pass < 2; ++pass) {
        const double along = std::inner_product(v.begin(), v.end(), unit.begin(), 0.0);
        for (std::size_t i = 0; i < v.size(); ++i)
            v[i] -= along * unit[i];
    }
}

bool make_unit(std::vector<double>& v, double least)
{
    const double length = length_of(v);
    if (!(length > least))
        return false;
    for (double& each : v)
        each /= length;
    return true;
}

std::vector<double> random_direction(std::size_t n, std::uint64_t seed, std::uint32_t index)
{
    std::vector<double> out(n);
    standard_normals({seed, Stream::directions, index}, 0, std::span<double>(out));
    return out;
}

}   // namespace

double length_of(const std::vector<double>& v)
{
    return std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
}

WeightPlane plane_through(std::span<const WeightVector> points, std::uint64_t seed)
{
    const auto& zero = points[0];
    WeightPlane plane;
    plane.origin.assign(zero.begin(), zero.end());
    const std::size_t n = plane.origin.size();
    const double least  = 1e-6 * std::max(length_of(plane.origin), 1e-6);
    plane.first         = difference_of(points[1], plane.origin);
    if (!make_unit(plane.first, least)) {
        plane.random = true;
        plane.first  = random_direction(n, seed, 0);
        make_unit(plane.first, 0);
    }
    if (points.size() > 2) {
        plane.second = difference_of(points[2], plane.origin);
        make_orthogonal(plane.second, plane.first);
    }
    if (plane.second.empty() || !make_unit(plane.second, least)) {
        plane.random = true;
        plane.second = random_direction(n, seed, 1);
        make_orthogonal(plane.second, plane.first);
        if (!make_unit(plane.second, 0))   // a network of one weight
            plane.second.assign(n, 0);
    }
    return plane;
}

ProjectedPoint projection_of(const WeightPlane& plane, WeightVector weights)
{
    auto rest      = difference_of(weights, plane.origin);
    const double x = std::inner_product(rest.begin(), rest.end(), plane.first.begin(), 0.0);
    const double y = std::inner_product(rest.begin(), rest.end(), plane.second.begin(), 0.0);
    for (std::size_t i = 0; i < rest.size(); ++i)
        rest[i] -= x * plane.first[i] + y * plane.second[i];
    return {x, y, length_of(rest)};
}

std::vector<double> ModeCurve::at(double t) const
{
    std::vector<double> out(a.size());
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = (1 - t) * (1 - t) * a[i] + 2 * t * (1 - t) * control[i] + t * t * b[i];
    return out;
}

std::optional<ModeCurve> low_curve(WeightVector a, WeightVector b, const PotentialGradient& gradient_at, int steps,
                                   const std::stop_token& stop)
{
    constexpr int points_per_step = 4;
    constexpr double beta1 = 0.9, beta2 = 0.99, smallest = 1e-12;
    const std::size_t n = a.size();
    ModeCurve curve{{a.begin(), a.end()}, std::vector<double>(n), {b.begin(), b.end()}};
    double squares = 0;
    for (std::size_t i = 0; i < n; ++i) {
        curve.control[i] = (curve.a[i] + curve.b[i]) / 2;
        squares += (curve.b[i] - curve.a[i]) * (curve.b[i] - curve.a[i]);
    }
    // A step changes each weight by a share of the typical distance between the two ends.
    const double rate = 0.1 * std::sqrt(squares / static_cast<double>(n));
    std::vector<double> gradient(n), sum(n), first(n, 0.0), second(n, 0.0);
    double decay1 = 1, decay2 = 1;
    for (int step = 0; step < steps; ++step) {
        std::fill(sum.begin(), sum.end(), 0.0);
        for (int k = 0; k < points_per_step; ++k) {
            if (stop.stop_requested())
                return {};
            const double golden = std::numbers::phi - 1;
            const double t      = std::fmod((step + 0.5) * golden + static_cast<double>(k) / points_per_step, 1.0);
            gradient_at(curve.at(t), gradient);
            for (std::size_t i = 0; i < n; ++i)   // a point whose gradient is not finite is ignored
                sum[i] += std::isfinite(gradient[i]) ? 2 * t * (1 - t) * gradient[i] : 0;
        }
        decay1 *= beta1;
        decay2 *= beta2;
        const double now = rate * 0.5 * (1 + std::cos(std::numbers::pi * step / steps));
        for (std::size_t i = 0; i < n; ++i) {
            first[i]  = beta1 * first[i] + (1 - beta1) * sum[i];
            second[i] = beta2 * second[i] + (1 - beta2) * sum[i] * sum[i];
            curve.control[i] -= now * (first[i] / (1 - decay1)) / (std::sqrt(second[i] / (1 - decay2)) + smallest);
        }
        report_share(static_cast<double>(step + 1) / steps);
    }
    return curve;
}

}   // namespace credence::view_support
