// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/function_ref.h"

#include <memory>
#include <span>

namespace credence {

/// The distribution of y = f + s e, where e has mean 0 and standard deviation 1. Functions of
/// several f and s handle all samples at one input.
class NoiseDistribution {
public:
    virtual ~NoiseDistribution() = default;

    virtual double quantile_of_e(double p) const = 0;
    /// (1/S) Σ P(f_j + s_j e <= y)
    virtual double mixture_cdf(std::span<const double> f, std::span<const double> s, double y) const = 0;
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
};

/// ∫ (F(x) − 1[x ≥ y])² dx in four parts, separated by y and the outermost of the means `f`.
/// @param unit  scale of the tails, for example the largest standard deviation
double crps_by_quadrature(function_ref<double(double)> cdf, std::span<const double> f, double unit, double y);

const std::shared_ptr<const NoiseDistribution>& normal_noise();

}   // namespace credence
