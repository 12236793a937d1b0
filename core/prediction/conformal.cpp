// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/conformal.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/statistics.h"
#include "random/noise.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

namespace credence {

bool is_of_classes(ConformalScore score)
{
    return score == ConformalScore::thr || score == ConformalScore::aps || score == ConformalScore::raps;
}

namespace {

constexpr double conformal_infinity = std::numeric_limits<double>::infinity();

/// ⌈(n + 1) level⌉. A product that is a whole number up to rounding counts as one: 100 · 0.55 is
/// 55.
double conformal_rank(std::size_t n, double level)
{
    if (!(level > 0 && level < 1))
        throw Error("prediction.level",
                    "Conformal prediction: the level is " + plain_text(level) + ", expected a number between 0 and 1.");
    const double position = (static_cast<double>(n) + 1) * level;
    return std::max(1.0, std::ceil(position - 1e-12 * position));
}

/// The classes by decreasing probability, the lower index first on ties.
std::vector<int> by_probability(std::span<const double> p)
{
    std::vector<int> order(p.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return p[static_cast<std::size_t>(a)] > p[static_cast<std::size_t>(b)]; });
    return order;
}

}   // namespace

double conformal_quantile(std::span<const double> sorted, double level)
{
    const double rank = conformal_rank(sorted.size(), level);
    return rank > static_cast<double>(sorted.size()) ? conformal_infinity : sorted[static_cast<std::size_t>(rank) - 1];
}

std::size_t fewest_calibration_rows(double level)
{
    auto n = static_cast<std::size_t>(std::max(0.0, std::floor(level / (1 - level)) - 1));
    while (conformal_rank(n, level) > static_cast<double>(n))
        ++n;
    return n;
}

std::vector<double> class_conformal_scores(const ConformalOptions& options, std::span<const double> p, double share)
{
    if (!is_of_classes(options.score))
        throw Error("prediction.conformal",
                    "Conformal sets: the score is for numeric targets, expected thr, aps or raps.");
    require_finite("Conformal sets: probability", p);
    std::vector<double> scores(p.size());
    if (options.score == ConformalScore::thr) {
        std::transform(p.begin(), p.end(), scores.begin(), [](double probability) { return 1 - probability; });
        return scores;
    }
    const double penalty = options.score == ConformalScore::raps ? options.penalty : 0;
    double before        = 0;   // probability of all classes that are more probable
    int rank             = 0;
    for (const int k : by_probability(p)) {
        const double own                    = p[static_cast<std::size_t>(k)];
        const double sum                    = before + share * own;
        scores[static_cast<std::size_t>(k)] = (sum > 1 - 1e-12 ? 1 : sum)   // all classes: 1 up to rounding
                                              + penalty * std::max(0, ++rank - options.free_classes);
        before += own;
    }
    return scores;
}

std::vector<int> conformal_set(const ConformalOptions& options, std::span<const double> p,
                               std::span<const double> thresholds, double share)
{
    if (thresholds.size() != 1 && thresholds.size() != p.size())
        throw Error("Conformal sets: " + std::to_string(thresholds.size()) + " thresholds for "
                    + std::to_string(p.size()) + " classes.");
    const auto scores     = class_conformal_scores(options, p, share);
    const bool with_first = options.score != ConformalScore::thr && !options.randomised;
    const auto first      = std::max_element(p.begin(), p.end()) - p.begin();
    std::vector<int> set;
    for (std::size_t k = 0; k < p.size(); ++k)
        if (scores[k] <= thresholds[thresholds.size() == 1 ? 0 : k]
            || (with_first && static_cast<std::ptrdiff_t>(k) == first))
            set.push_back(static_cast<int>(k));
    return set;
}

double conformal_share(const ConformalOptions& options, std::uint64_t seed, std::span<const float> input)
{
    if (!options.randomised || options.score == ConformalScore::thr)
        return 1;
    std::uint64_t hash = 0xcbf29ce484222325;   // FNV-1a over the numbers of the input
    for (const float x : input)
        hash = (hash ^ std::bit_cast<std::uint32_t>(x == 0 ? 0.0f : x)) * 0x100000001b3;
    hash ^= hash >> 29;
    double share = 0;
    uniforms({seed, Stream::conformal, static_cast<std::uint32_t>(hash)}, hash >> 32, std::span(&share, 1));
    return share;
}

double number_conformal_score(ConformalScore score, const PredictedNumber& predicted, double y)
{
    switch (score) {
    case ConformalScore::absolute: return std::abs(y - predicted.mean);
    case ConformalScore::normalised:
        if (!(predicted.sd > 0))   // no noise and no spread
            return y == predicted.mean ? 0 : conformal_infinity;
        return std::abs(y - predicted.mean) / predicted.sd;
    case ConformalScore::cqr: return std::max(predicted.lower - y, y - predicted.upper);
    default: break;
    }
    throw Error("prediction.conformal",
                "Conformal intervals: the score is for classes, expected absolute, normalised or cqr.");
}

std::pair<double, double> conformal_interval(ConformalScore score, const PredictedNumber& predicted, double threshold)
{
    if (threshold == conformal_infinity)
        return {-conformal_infinity, conformal_infinity};
    if (score != ConformalScore::cqr) {
        const double half = score == ConformalScore::normalised ? threshold * predicted.sd : threshold;
        return {predicted.mean - half, predicted.mean + half};
    }
    const double lower = predicted.lower - threshold, upper = predicted.upper + threshold;
    const double middle = std::midpoint(predicted.lower, predicted.upper);
    return lower <= upper ? std::pair(lower, upper) : std::pair(middle, middle);
}

}   // namespace credence
