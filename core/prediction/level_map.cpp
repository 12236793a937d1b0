// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/level_map.h"

#include "foundation/error.h"
#include "foundation/number_text.h"

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

}   // namespace credence
