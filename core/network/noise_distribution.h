// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

/// The distribution of y = f + s e, where e has mean 0 and standard deviation 1. Functions of
/// several f and s handle all samples at one input.
class NoiseDistribution {
public:
    virtual ~NoiseDistribution() = default;

    /// True: the mean and the standard deviation of e are others, and y is not a mixture over samples
    /// (prediction/recalibrated_noise.h).
    virtual bool is_recalibrated() const { return false; }

    virtual double quantile_of_e(double p) const = 0;
    /// By quadrature, unless a distribution has a closed form.
    virtual PartialMoments partial_moments_of_e(double z) const;
    /// (1/S) Σ P(f_j + s_j e <= y)
    virtual double mixture_cdf(std::span<const double> f, std::span<const double> s, double y) const = 0;
    /// mixture_cdf with an error below 1e-9, for quadrature: faster, if a distribution has a table.
    virtual double tabulated_mixture_cdf(std::span<const double> f, std::span<const double> s, double y) const
    {
        return mixture_cdf(f, s, y);
    }
    /// The derivative of mixture_cdf with respect to y.
    virtual double mixture_density(std::span<const double> f, std::span<const double> s, double y) const = 0;
    /// ln p(y | f_j, s_j) for each j, nats.
    virtual void log_densities(std::span<const double> f, std::span<const double> s, double y,
                               std::span<double> out) const = 0;
    /// Continuous ranked probability score of the mixture at y, in the units of y:
    ///     CRPS = ∫ (F(x) − 1[x ≥ y])² dx = E|Y − y| − ½ E|Y − Y′|,   Y and Y′ independent with F
    /// By adaptive quadrature to a relative error of about 1e-6, unless a distribution has a closed form.
    /// Source: Gneiting and Raftery 2007, section 4.2.
    virtual double mixture_crps(std::span<const double> f, std::span<const double> s, double y) const;
    /// By the law of total variance: mean of f, √(variance of f + mean of s²), divisor S.
    virtual MixtureMoments mixture_moments(std::span<const double> f, std::span<const double> s) const;
};

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

}   // namespace credence
