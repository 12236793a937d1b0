// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/noise_distribution.h"

#include <boost/math/special_functions/erf.hpp>

#include <cmath>
#include <numbers>

namespace credence {
namespace {

class NormalNoise final : public NoiseDistribution {
public:
    double quantile_of_e(double p) const override { return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * p); }

    double mixture_cdf(std::span<const double> f, std::span<const double> s, double y) const override
    {
        double sum = 0;
        for (std::size_t j = 0; j < f.size(); ++j)
            sum += 0.5 * std::erfc((f[j] - y) / (s[j] * std::numbers::sqrt2));
        return sum / static_cast<double>(f.size());
    }

    double mixture_density(std::span<const double> f, std::span<const double> s, double y) const override
    {
        double sum = 0;
        for (std::size_t j = 0; j < f.size(); ++j) {
            const double z = (y - f[j]) / s[j];
            sum += std::exp(-0.5 * z * z) / s[j];
        }
        return sum / (std::sqrt(2 * std::numbers::pi) * static_cast<double>(f.size()));
    }

    void log_densities(std::span<const double> f, std::span<const double> s, double y,
                       std::span<double> out) const override
    {
        const double half_log_2pi = 0.5 * std::log(2 * std::numbers::pi);
        for (std::size_t j = 0; j < f.size(); ++j) {
            const double z = (y - f[j]) / s[j];
            out[j]         = -0.5 * z * z - std::log(s[j]) - half_log_2pi;
        }
    }
};

}   // namespace

const std::shared_ptr<const NoiseDistribution>& normal_noise()
{
    static const std::shared_ptr<const NoiseDistribution> normal = std::make_shared<NormalNoise>();
    return normal;
}

}   // namespace credence
