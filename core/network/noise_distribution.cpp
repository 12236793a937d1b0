// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/noise_distribution.h"

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/special_functions/erf.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

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

/// P(0 <= e <= u) with e ~ N(0, 1), u >= 0, and its derivative. Errors below 3e-10 and 4e-8.
const GrowingTable& normal_half()
{
    static const GrowingTable table(4, [](double at) {
        return std::pair{0.5 * std::erf(at / std::numbers::sqrt2),
                         std::exp(-0.5 * at * at) / std::sqrt(2 * std::numbers::pi)};
    });
    return table;
}

/// Means and standard deviations of the components of a mixture, and the share of each.
struct NormalComponents {
    std::vector<double> f, s, share;
};

constexpr std::size_t most_in_all_pairs = 2048, grouped_by_f = 32, grouped_by_s = 32;

/// Merges similar components into 32 × 32 normal ones: first by f, then by s.
NormalComponents united_components(std::span<const double> f, std::span<const double> s)
{
    const std::size_t S = f.size();
    std::vector<std::size_t> order(S);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t j) { return f[j]; });
    NormalComponents out;
    for (std::size_t a = 0; a < grouped_by_f; ++a) {
        const std::size_t first = a * S / grouped_by_f, n = (a + 1) * S / grouped_by_f - first;
        const auto block = std::span(order).subspan(first, n);
        std::ranges::stable_sort(block, {}, [&](std::size_t j) { return s[j]; });
        for (std::size_t b = 0; b < grouped_by_s; ++b) {
            const auto group = block.subspan(b * n / grouped_by_s, (b + 1) * n / grouped_by_s - b * n / grouped_by_s);
            const auto size  = static_cast<double>(group.size());
            double mean = 0, mean_s = 0, between = 0, squares = 0;
            for (const std::size_t j : group) {
                mean += f[j] / size;
                mean_s += s[j] / size;
            }
            for (const std::size_t j : group) {
                between += (f[j] - mean) * (f[j] - mean) / size;
                squares += s[j] * s[j] / size;
            }
            out.f.push_back(mean);
            // E √(s_j² + s_k²) is below the value for the mean of s, and above that for the root of
            // the mean square by as much
            out.s.push_back(std::sqrt(between + (squares + mean_s * mean_s) / 2));
            out.share.push_back(size / static_cast<double>(S));
        }
    }
    return out;
}

class NormalNoise final : public NoiseDistribution {
public:
    double quantile_of_e(double p) const override { return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * p); }

    PartialMoments partial_moments_of_e(double z) const override
    {
        const double share   = 0.5 * std::erfc(-z / std::numbers::sqrt2),
                     density = std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi);
        return {share, -density, share - z * density};
    }

    double mixture_cdf(std::span<const double> f, std::span<const double> s, double y) const override
    {
        double sum = 0;
        for (std::size_t j = 0; j < f.size(); ++j)
            sum += 0.5 * std::erfc((f[j] - y) / (s[j] * std::numbers::sqrt2));
        return sum / static_cast<double>(f.size());
    }

    MixturePoint tabulated_mixture(std::span<const double> f, std::span<const double> s, double y) const override
    {
        const auto& table = normal_half();
        MixturePoint sum;
        for (std::size_t j = 0; j < f.size(); ++j) {
            const double unit = 1 / s[j], z = (y - f[j]) * unit;
            const auto half      = table(std::fabs(z));
            const double density = half.slope * unit;
            sum.cdf += std::copysign(half.value, z);
            sum.density += density;
            sum.slope -= z * unit * density;
        }
        const auto n = static_cast<double>(f.size());
        return {0.5 + sum.cdf / n, sum.density / n, sum.slope / n};
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
    /// all pairs; of more than 2,048 components over pairs of 1,024 groups, so that the time does not grow
    /// with S². Source: Grimit, Gneiting, Berrocal and Johnson 2006.
    double mixture_crps(std::span<const double> f, std::span<const double> s, double y) const override
    {
        const std::size_t S = f.size();
        const auto n        = static_cast<double>(S);
        double to_target    = 0;
        for (std::size_t j = 0; j < S; ++j)
            to_target += s[j] * mean_distance(std::fabs(y - f[j]) / s[j]);
        if (S <= most_in_all_pairs)
            return to_target / n - half_of_pairs(f, s, [](std::size_t) { return 1.0; }) / (n * n);
        const auto few = united_components(f, s);
        return to_target / n - half_of_pairs(few.f, few.s, [&](std::size_t j) { return few.share[j]; });
    }

private:
    /// ½ Σ_jk w_j w_k A(f_j − f_k, s_j² + s_k²)
    template <class Weight>
    static double half_of_pairs(std::span<const double> f, std::span<const double> s, Weight weight)
    {
        const bool one_s = std::ranges::adjacent_find(s, std::not_equal_to()) == s.end();   // no roots, no divisions
        double pairs     = 0;
        for (std::size_t j = 0; j < f.size(); ++j) {
            double sum = weight(j) * s[j] / std::sqrt(std::numbers::pi);   // half of the pair of j with itself
            if (one_s) {
                const double sd = std::numbers::sqrt2 * s[j], unit = 1 / sd;
                double others = 0;
                for (std::size_t k = 0; k < j; ++k)   // each pair once
                    others += weight(k) * mean_distance(std::fabs(f[j] - f[k]) * unit);
                sum += sd * others;
            } else
                for (std::size_t k = 0; k < j; ++k) {
                    const double sd = std::sqrt(s[j] * s[j] + s[k] * s[k]);
                    sum += weight(k) * sd * mean_distance(std::fabs(f[j] - f[k]) / sd);
                }
            pairs += weight(j) * sum;
        }
        return pairs;
    }
};

}   // namespace

double NoiseDistribution::mixture_crps(std::span<const double> f, std::span<const double> s, double y) const
{
    constexpr std::array<double, 2> identity{0, 1};
    return mapped_mixture_crps(*this, f, s, y, identity, identity);
}

PartialMoments NoiseDistribution::partial_moments_of_e(double z) const
{
    using Quadrature  = boost::math::quadrature::gauss_kronrod<double, 15>;
    const auto moment = [&](int power) {
        const double zero = 0, one = 1;
        return Quadrature::integrate(
            [&](double e) {
            return std::pow(e, power) * mixture_density({&zero, 1}, {&one, 1}, e);
            },
            -std::numeric_limits<double>::infinity(), z, 15, 1e-9);
    };
    return {moment(0), moment(1), moment(2)};
}

MixtureMoments NoiseDistribution::mixture_moments(std::span<const double> f, std::span<const double> s) const
{
    const auto n = static_cast<double>(f.size());
    double mean = 0, variance = 0;
    for (const double one : f)
        mean += one / n;
    for (std::size_t j = 0; j < f.size(); ++j)
        variance += ((f[j] - mean) * (f[j] - mean) + s[j] * s[j]) / n;
    return {mean, std::sqrt(variance)};
}

const std::shared_ptr<const NoiseDistribution>& normal_noise()
{
    static const std::shared_ptr<const NoiseDistribution> normal = std::make_shared<NormalNoise>();
    return normal;
}

}   // namespace credence
