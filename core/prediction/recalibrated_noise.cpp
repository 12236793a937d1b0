// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/recalibrated_noise.h"

#include "prediction/regression.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace credence {

RecalibratedNoise::RecalibratedNoise(std::shared_ptr<const NoiseDistribution> noise,
                                     std::shared_ptr<const LevelMap> levels)
    : noise_(std::move(noise)), levels_(std::move(levels))
{}

PartialMoments RecalibratedNoise::partial_moments_of_e(double z) const
{
    // E[h(e′); e′ <= z] = Σ_k b_k (H(min(q_{k+1}, z)) − H(q_k)) over the segments below z
    const auto& v = levels_->levels();
    PartialMoments sum, before;
    for (std::size_t k = 0; k < levels_->n_segments(); ++k) {
        const double end   = k + 1 < levels_->n_segments() ? std::min(z, noise_->quantile_of_e(v[k + 1])) : z;
        const auto at      = noise_->partial_moments_of_e(end);
        const double slope = levels_->slope(v[k]);
        sum.share += slope * (at.share - before.share);
        sum.first += slope * (at.first - before.first);
        sum.second += slope * (at.second - before.second);
        before = at;
        if (end >= z)
            break;
    }
    return sum;
}

double RecalibratedNoise::mixture_cdf(std::span<const double> f, std::span<const double> s, double y) const
{
    return (*levels_)(std::clamp(noise_->mixture_cdf(f, s, y), 0.0, 1.0));
}

MixturePoint RecalibratedNoise::tabulated_mixture(std::span<const double> f, std::span<const double> s, double y) const
{
    const auto at      = noise_->tabulated_mixture(f, s, y);
    const double level = std::clamp(at.cdf, 0.0, 1.0), slope = levels_->slope(level);
    return {(*levels_)(level), slope * at.density, slope * at.slope};
}

double RecalibratedNoise::mixture_density(std::span<const double> f, std::span<const double> s, double y) const
{
    return levels_->slope(noise_->mixture_cdf(f, s, y)) * noise_->mixture_density(f, s, y);
}

void RecalibratedNoise::log_densities(std::span<const double> f, std::span<const double> s, double y,
                                      std::span<double> out) const
{
    noise_->log_densities(f, s, y, out);
    const double log_slope = std::log(levels_->slope(noise_->mixture_cdf(f, s, y)));
    for (double& one : out)
        one += log_slope;
}

std::vector<double> RecalibratedNoise::knot_quantiles(std::span<const double> f, std::span<const double> s) const
{
    constexpr double last_step = 1e-4;   // Newton: the error that is left is about its square
    std::vector<double> q;
    for (std::size_t k = 1; k < levels_->n_segments(); ++k)
        q.push_back(mixture_quantile(*noise_, f, s, levels_->levels()[k], last_step));
    return q;
}

double RecalibratedNoise::mixture_crps(std::span<const double> f, std::span<const double> s, double y) const
{
    return mapped_mixture_crps(*noise_, f, s, y, levels_->levels(), levels_->frequencies());
}

MixtureMoments RecalibratedNoise::mixture_moments(std::span<const double> f, std::span<const double> s) const
{
    const auto base    = noise_->mixture_moments(f, s);
    const auto q       = knot_quantiles(f, s);
    const auto& levels = levels_->levels();
    double before      = levels_->slope(0);
    double first = 0, second = 0;   // about the mean of the mixture
    for (std::size_t k = 0; k < q.size(); ++k) {
        double share = 0, one = 0, two = 0;
        for (std::size_t j = 0; j < f.size(); ++j) {
            const double gap = f[j] - base.mean;
            const auto part  = noise_->partial_moments_of_e((q[k] - f[j]) / s[j]);
            share += part.share;
            one += gap * part.share + s[j] * part.first;
            two += gap * gap * part.share + 2 * gap * s[j] * part.first + s[j] * s[j] * part.second;
        }
        const auto n = static_cast<double>(f.size());
        // H(q) − h(q) (F(q) − v): the effect of an error in q is of second order
        const double at = q[k] - base.mean, excess = share / n - levels[k + 1];
        const double after = levels_->slope(levels[k + 1]);
        first -= (after - before) * (one / n - at * excess);
        second -= (after - before) * (two / n - at * at * excess);
        before = after;
    }
    second += before * base.sd * base.sd;   // E h(Y) is 0 for the first moment
    return {base.mean + first, std::sqrt(std::max(0.0, second - first * first))};
}

const RecalibratedNoise* recalibrated_noise(const NoiseDistribution& noise)
{
    return dynamic_cast<const RecalibratedNoise*>(&noise);
}

}   // namespace credence
