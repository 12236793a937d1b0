// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/noise_distribution.h"

#include "network/hermite_table.h"

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/special_functions/erf.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace credence {
namespace {

/// g(u) = E|u + e| = u erf(u/√2) + 2 φ(u) with e ~ N(0, 1), so that E|N(m, s²)| = s g(|m|/s). Error
/// below 1e-11.
double mean_distance(double u)
{
    static const HermiteTable table(8.5, 128, [](double at) {
        const double slope = std::erf(at / std::numbers::sqrt2);
        return std::pair{at * slope + std::sqrt(2 / std::numbers::pi) * std::exp(-0.5 * at * at), slope};
    });
    return u < table.end() ? table(u) : u;   // g(u) − u < 1e-17
}

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

    /// (1/S) Σ_j A(y − f_j, s_j²) − 1/(2S²) Σ_jk A(f_j − f_k, s_j² + s_k²), A(m, v) = E|N(m, v)|, over
    /// all pairs. Source: Grimit, Gneiting, Berrocal and Johnson 2006.
    double mixture_crps(std::span<const double> f, std::span<const double> s, double y) const override
    {
        const std::size_t S = f.size();
        double to_target = 0, pairs = 0;   // each pair once
        for (std::size_t j = 0; j < S; ++j) {
            to_target += s[j] * mean_distance(std::fabs(y - f[j]) / s[j]);
            double sum = s[j] / std::sqrt(std::numbers::pi);   // half of the pair of j with itself
            for (std::size_t k = 0; k < j; ++k) {
                const double sd = std::sqrt(s[j] * s[j] + s[k] * s[k]);
                sum += sd * mean_distance(std::fabs(f[j] - f[k]) / sd);
            }
            pairs += sum;
        }
        const auto n = static_cast<double>(S);
        return to_target / n - pairs / (n * n);
    }
};

}   // namespace

double crps_by_quadrature(function_ref<double(double)> cdf, std::span<const double> f, double unit, double y)
{
    using Quadrature       = boost::math::quadrature::gauss_kronrod<double, 15>;
    const auto [low, high] = std::ranges::minmax(f);
    const double infinity  = std::numeric_limits<double>::infinity();
    const double first = (std::min(low, y) - y) / unit, last = (std::max(high, y) - y) / unit;   // x = y + unit u
    const auto integral = [&](double from, double to) {
        if (!(from < to))
            return 0.0;
        const auto squared = [&](double u) {
            const double F = cdf(y + unit * u), gap = to <= 0 ? F : 1 - F;
            return gap * gap;
        };
        return Quadrature::integrate(squared, from, to, 10, 1e-6);
    };
    return unit * (integral(-infinity, first) + integral(first, 0) + integral(0, last) + integral(last, infinity));
}

double NoiseDistribution::mixture_crps(std::span<const double> f, std::span<const double> s, double y) const
{
    return crps_by_quadrature([&](double x) { return mixture_cdf(f, s, x); }, f, *std::ranges::max_element(s), y);
}

const std::shared_ptr<const NoiseDistribution>& normal_noise()
{
    static const std::shared_ptr<const NoiseDistribution> normal = std::make_shared<NormalNoise>();
    return normal;
}

}   // namespace credence
