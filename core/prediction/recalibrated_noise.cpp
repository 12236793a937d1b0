// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/recalibrated_noise.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "prediction/regression.h"

#include <boost/math/special_functions/gamma.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

namespace credence {

namespace {

constexpr int most_halvings         = 20;
constexpr std::size_t fewest_halved = 4;         // with fewer values one bin is always more probable
constexpr double odds_of_halving    = 1.0 / 3;   // prior odds of each halving: 1 to 3
constexpr double half_observation   = 0.5;       // added to the count of each half (Jeffreys)

double log_beta(double a, double b)
{
    return boost::math::lgamma(a) + boost::math::lgamma(b) - boost::math::lgamma(a + b);
}

/// The segment of a knot vector that contains x, closed on the left.
std::size_t segment_of(const std::vector<double>& knots, double x)
{
    const auto after = std::upper_bound(knots.begin() + 1, knots.end() - 1, x);
    return static_cast<std::size_t>(after - knots.begin()) - 1;
}

double between_knots(const std::vector<double>& from, const std::vector<double>& to, double x)
{
    const std::size_t k = segment_of(from, x);
    return to[k] + (to[k + 1] - to[k]) * ((x - from[k]) / (from[k + 1] - from[k]));
}

/// The upper end of a bin and the share of the values that it is given.
struct LevelBin {
    double upper, share;
};

/// The bins of a part of the unit interval, in order.
struct LevelBins {
    double log_evidence = 0;   // against one bin
    std::vector<LevelBin> bins;
};

/// @param sorted  the values in [low, high), ascending
LevelBins halved_bins(std::span<const double> sorted, double low, double high, int halvings)
{
    LevelBins whole{0, {{high, 1}}};
    if (sorted.size() < fewest_halved || halvings == most_halvings)
        return whole;
    const double middle = 0.5 * (low + high);
    const auto n_lower  = static_cast<std::size_t>(std::ranges::lower_bound(sorted, middle) - sorted.begin());
    auto lower          = halved_bins(sorted.first(n_lower), low, middle, halvings + 1);
    auto upper          = halved_bins(sorted.subspan(n_lower), middle, high, halvings + 1);
    const auto n        = static_cast<double>(sorted.size());
    const auto n1       = static_cast<double>(n_lower);
    const double a = n1 + half_observation, b = n - n1 + half_observation;
    const double evidence = log_beta(a, b) - log_beta(half_observation, half_observation) + n * std::numbers::ln2
                            + lower.log_evidence + upper.log_evidence + std::log(odds_of_halving);
    if (!(evidence > 0))
        return whole;
    LevelBins halves{evidence, std::move(lower.bins)};
    for (auto& bin : halves.bins)
        bin.share *= a / (a + b);
    for (const auto& bin : upper.bins)
        halves.bins.push_back({bin.upper, bin.share * b / (a + b)});
    return halves;
}

}   // namespace

LevelMap::LevelMap(std::vector<double> levels, std::vector<double> frequencies)
    : levels_(std::move(levels)), frequencies_(std::move(frequencies))
{
    const auto is_map_axis = [](const std::vector<double>& knots) {
        return knots.size() >= 2 && knots.front() == 0 && knots.back() == 1
               && std::ranges::adjacent_find(knots, [](double a, double b) { return !(a < b); }) == knots.end();
    };
    if (levels_.size() != frequencies_.size() || !is_map_axis(levels_) || !is_map_axis(frequencies_))
        throw Error("prediction.recalibration",
                    "The map of levels has knots that do not increase from 0 to 1, expected increasing ones.");
}

double LevelMap::operator()(double level) const { return between_knots(levels_, frequencies_, level); }

double LevelMap::inverse(double frequency) const { return between_knots(frequencies_, levels_, frequency); }

double LevelMap::slope(double level) const
{
    const std::size_t k = segment_of(levels_, level);
    return (frequencies_[k + 1] - frequencies_[k]) / (levels_[k + 1] - levels_[k]);
}

LevelMap fit_level_map(std::span<const double> values)
{
    std::vector<double> sorted(values.begin(), values.end());
    for (const double value : sorted)
        if (!(value >= 0 && value <= 1))
            throw Error("Map of levels: a probability integral transform is " + plain_text(value)
                        + ", expected a number from 0 to 1.");
    std::ranges::sort(sorted);
    const auto found = halved_bins(sorted, 0, 1, 0);
    std::vector<double> levels{0}, frequencies{0};
    for (const auto& bin : found.bins) {
        levels.push_back(bin.upper);
        frequencies.push_back(frequencies.back() + bin.share);
    }
    frequencies.back() = 1;   // up to rounding
    return {std::move(levels), std::move(frequencies)};
}

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
