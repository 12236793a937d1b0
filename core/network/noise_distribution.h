// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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
};

const std::shared_ptr<const NoiseDistribution>& normal_noise();

}   // namespace credence
