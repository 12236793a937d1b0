// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace credence {

/// P(e <= z), E[e; e <= z] and E[e²; e <= z].
struct PartialMoments {
    double share = 0, first = 0, second = 0;
};

struct MixtureMoments {
    double mean = 0, sd = 0;
    bool operator==(const MixtureMoments&) const = default;
};

/// F, F′ and F″ of a mixture at one y.
struct MixturePoint {
    double cdf = 0, density = 0, slope = 0;
};

/// The distribution of y = f + s e, where e has mean 0 and standard deviation 1. Functions of
/// several f and s handle all samples at one input.
class NoiseDistribution {
public:
    virtual ~NoiseDistribution() = default;

    /// True if e has another mean and standard deviation, and y is not a mixture over samples
    /// (prediction/recalibrated_noise.h).
    virtual bool is_recalibrated() const { return false; }

    virtual double quantile_of_e(double p) const = 0;
    /// By quadrature, unless a distribution has a closed form.
    virtual PartialMoments partial_moments_of_e(double z) const;
    /// (1/S) Σ P(f_j + s_j e <= y)
    virtual double mixture_cdf(std::span<const double> f, std::span<const double> s, double y) const = 0;
    /// mixture_cdf and its derivatives from a table: F with an error below 1e-9, s F′ and s² F″ below 1e-7.
    virtual MixturePoint tabulated_mixture(std::span<const double> f, std::span<const double> s, double y) const = 0;
    /// The derivative of mixture_cdf with respect to y.
    virtual double mixture_density(std::span<const double> f, std::span<const double> s, double y) const = 0;
    /// ln p(y | f_j, s_j) for each j, nats.
    virtual void log_densities(std::span<const double> f, std::span<const double> s, double y,
                               std::span<double> out) const = 0;
    /// Continuous ranked probability score of the mixture at y, in the units of y:
    ///     CRPS = ∫ (F(x) − 1[x ≥ y])² dx = E|Y − y| − ½ E|Y − Y′|,   Y and Y′ independent with F
    /// By mapped_mixture_crps, unless a distribution has a closed form.
    /// Source: Gneiting and Raftery 2007, section 4.2.
    virtual double mixture_crps(std::span<const double> f, std::span<const double> s, double y) const;
    /// By the law of total variance: mean of f, √(variance of f + mean of s²), divisor S.
    virtual MixtureMoments mixture_moments(std::span<const double> f, std::span<const double> s) const;
};

/// ∫ (R(F(x)) − 1[x ≥ y])² dx of a mixture whose distribution function F is mapped by a piecewise linear R.
/// F is interpolated by polynomials of degree 5 that have its value and two derivatives at both ends, in
/// intervals that are halved until they are exact; the integrals of the pieces are then exact. The error is
/// about 1e-7 of the mixture's standard deviation.
/// @param levels, frequencies  the knots of R, both strictly increasing from 0 to 1
double mapped_mixture_crps(const NoiseDistribution& noise, std::span<const double> f, std::span<const double> s,
                           double y, std::span<const double> levels, std::span<const double> frequencies);

const std::shared_ptr<const NoiseDistribution>& normal_noise();

/// A smooth function on [0, end] by cubic Hermite interpolation from exact values and slopes at evenly
/// spaced points: the error is at most h⁴/384 times the largest fourth derivative, h = 1/per_unit.
class HermiteTable {
public:
    /// @param value_and_slope  the function and its derivative
    HermiteTable(double end, int per_unit, const std::function<std::pair<double, double>(double)>& value_and_slope)
        : per_unit_(per_unit), n_(static_cast<int>(end * per_unit))
    {
        for (int i = 0; i <= n_; ++i) {
            const auto [value, slope] = value_and_slope(i / per_unit_);
            points_.push_back({value, slope / per_unit_});
        }
    }

    double end() const { return n_ / per_unit_; }
    /// @param x  in [0, end)
    double operator()(double x) const
    {
        const double at = x * per_unit_;
        const int i     = static_cast<int>(at);
        const double t = at - i, rest = 1 - t;
        const auto &a = points_[i], &b = points_[i + 1];
        return rest * rest * ((1 + 2 * t) * a.first + t * a.second) + t * t * ((3 - 2 * t) * b.first - rest * b.second);
    }

private:
    double per_unit_;
    int n_;
    std::vector<std::pair<double, double>> points_;   // value, slope per step
};

/// A smooth function on [0, ∞) and its derivative by cubic Hermite interpolation in cells that grow with x:
/// 128 of them between 2ᵏ − 1 and 2ᵏ⁺¹ − 1 for each k below `octaves`; the function is constant after the last.
class GrowingTable {
public:
    /// @param value_and_slope  the function and its derivative
    GrowingTable(int octaves, const std::function<std::pair<double, double>(double)>& value_and_slope)
        : end_(std::ldexp(1.0, octaves))
    {
        auto [value, slope] = value_and_slope(0);
        for (int octave = 0; octave < octaves; ++octave) {
            const double h = std::ldexp(1.0, octave - bits_of_cell);
            for (int i = 1; i <= 1 << bits_of_cell; ++i) {
                const auto [next, next_slope] = value_and_slope(std::ldexp(1.0, octave) + i * h - 1);
                const double rise             = (next - value) / h;
                cells_.push_back(
                    {value, slope, (3 * rise - 2 * slope - next_slope) / h, (slope + next_slope - 2 * rise) / (h * h)});
                value = next;
                slope = next_slope;
            }
        }
        cells_.push_back({value, 0, 0, 0});
    }

    struct Value {
        double value, slope;
    };
    /// @param x  >= 0
    Value operator()(double x) const
    {
        constexpr int unused = 52 - bits_of_cell;       // bits of the mantissa that are a position within a cell
        const double at      = std::min(end_, 1 + x);   // end_ for NaN
        const auto bits      = std::bit_cast<std::uint64_t>(at);
        const auto cell      = bits >> unused;
        const double d       = at - std::bit_cast<double>(cell << unused);
        const auto& c        = cells_[cell - (std::uint64_t{1023} << bits_of_cell)];
        return {c[0] + d * (c[1] + d * (c[2] + d * c[3])), c[1] + d * (2 * c[2] + d * 3 * c[3])};
    }

private:
    static constexpr int bits_of_cell = 7;
    double end_;
    std::vector<std::array<double, 4>> cells_;   // coefficients of the powers of the distance from the cell's start
};

}   // namespace credence
