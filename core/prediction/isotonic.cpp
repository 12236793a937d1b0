// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/calibration.h"

#include "foundation/error.h"
#include "foundation/parallel.h"
#include "foundation/statistics.h"
#include "random/noise.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace credence {

namespace {

constexpr std::size_t corp_points = 200;   // number of points at which the band is computed

/// Pool adjacent violators over groups of equal x, in rising order.
/// @param weight, sum  rows and Σ y of each group
/// @param use          (first group, last group, mean of y) of each block
template <class Use>
void pool_adjacent(std::span<const double> weight, std::span<const double> sum, Use use)
{
    struct Pool {
        std::size_t first;
        double weight, sum;
    };
    std::vector<Pool> pools;
    for (std::size_t g = 0; g < weight.size(); ++g) {
        Pool last{g, weight[g], sum[g]};
        while (!pools.empty() && pools.back().sum * last.weight >= last.sum * pools.back().weight) {
            last = {pools.back().first, pools.back().weight + last.weight, pools.back().sum + last.sum};
            pools.pop_back();
        }
        pools.push_back(last);
    }
    for (std::size_t b = 0; b < pools.size(); ++b)
        use(pools[b].first, (b + 1 < pools.size() ? pools[b + 1].first : weight.size()) - 1,
            pools[b].sum / pools[b].weight);
}

/// Rows sorted by x, in groups of equal x.
struct SortedGroups {
    std::vector<std::size_t> order;   ///< rows, rising in x
    std::vector<std::size_t> first;   ///< index in `order` of the first row of each group
    std::vector<double> x, weight;    ///< of each group

    explicit SortedGroups(std::span<const double> values) : order(values.size())
    {
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
        for (std::size_t i = 0; i < order.size(); ++i) {
            if (i == 0 || values[order[i]] != x.back()) {
                first.push_back(i);
                x.push_back(values[order[i]]);
                weight.push_back(0);
            }
            ++weight.back();
        }
    }

    /// Σ y over the rows of each group.
    std::vector<double> sums_of(std::span<const double> y) const
    {
        std::vector<double> sums(x.size(), 0);
        for (std::size_t g = 0; g < x.size(); ++g)
            for (std::size_t i = first[g]; i < (g + 1 < x.size() ? first[g + 1] : order.size()); ++i)
                sums[g] += y[order[i]];
        return sums;
    }
};

double mean_squared(std::span<const double> a, std::span<const double> b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum / static_cast<double>(a.size());
}

/// Fitted values at some groups if the events are drawn from the probabilities, one set per resample.
CorpReliability::ConsistencyBand consistency_band(const SortedGroups& groups, std::uint64_t seed, double level,
                                                  int resamples)
{
    const auto shown = evenly_spaced(groups.x.size() - 1, corp_points - 1);
    std::vector<std::size_t> at(shown.begin(), shown.end());
    at.push_back(groups.x.size() - 1);
    std::vector<double> fitted(at.size() * static_cast<std::size_t>(resamples));   // [points × resamples]
    parallel_for(static_cast<std::size_t>(resamples), [&](std::size_t r) {
        std::vector<double> u(groups.order.size()), events(groups.x.size(), 0);
        uniforms({seed, Stream::calibration_band, static_cast<std::uint32_t>(r)}, 0, std::span<double>(u));
        std::size_t row = 0;
        for (std::size_t g = 0; g < groups.x.size(); ++g)
            for (const std::size_t end = row + static_cast<std::size_t>(groups.weight[g]); row < end; ++row)
                events[g] += u[row] < groups.x[g] ? 1 : 0;
        std::size_t next = 0;
        pool_adjacent(groups.weight, events, [&](std::size_t, std::size_t last, double value) {
            for (; next < at.size() && at[next] <= last; ++next)
                fitted[next * static_cast<std::size_t>(resamples) + r] = value;
        });
    });
    CorpReliability::ConsistencyBand band{.level = level, .resamples = resamples};
    for (std::size_t i = 0; i < at.size(); ++i) {
        const auto values = std::span(fitted).subspan(i * static_cast<std::size_t>(resamples),
                                                      static_cast<std::size_t>(resamples));
        std::ranges::sort(values);
        band.p.push_back(groups.x[at[i]]);
        band.lower.push_back(quantile_of_sorted(values, (1 - level) / 2));
        band.upper.push_back(quantile_of_sorted(values, (1 + level) / 2));
    }
    return band;
}

void require_pairs(std::size_t x, std::size_t y)
{
    if (x != y)
        throw Error("Isotonic regression: " + std::to_string(y) + " values for " + std::to_string(x) + " positions.");
}

}   // namespace

IsotonicFit::IsotonicFit(std::span<const double> x, std::span<const double> y)
{
    require_pairs(x.size(), y.size());
    require_finite("Isotonic regression: position", x);
    require_finite("Isotonic regression: value", y);
    const SortedGroups groups(x);
    pool_adjacent(groups.weight, groups.sums_of(y), [&](std::size_t first, std::size_t last, double value) {
        const double count = std::accumulate(groups.weight.begin() + static_cast<std::ptrdiff_t>(first),
                                             groups.weight.begin() + static_cast<std::ptrdiff_t>(last + 1), 0.0);
        blocks_.push_back({groups.x[first], groups.x[last], value, std::lround(count)});
    });
}

double IsotonicFit::at(double x) const
{
    const auto after = std::ranges::lower_bound(blocks_, x, {}, &Block::upper);   // the first that ends at x or later
    if (after == blocks_.end())
        return blocks_.back().value;
    if (after == blocks_.begin() || x >= after->lower)
        return after->value;
    const auto& before = *(after - 1);
    return std::lerp(before.value, after->value, (x - before.upper) / (after->lower - before.upper));
}

CorpReliability corp_reliability(std::span<const double> p, std::span<const char> event, std::uint64_t seed,
                                 double level, int resamples)
{
    require_pairs(p.size(), event.size());
    if (p.empty())
        throw Error("Reliability: there are no predictions.");
    const std::vector<double> y(event.begin(), event.end());
    const IsotonicFit fit(p, y);
    std::vector<double> fitted(p.size());
    std::ranges::transform(p, fitted.begin(), [&](double x) { return fit.at(x); });
    const double mean = mean_of(y), after = mean_squared(fitted, y);

    CorpReliability out;
    out.blocks         = fit.blocks();
    out.uncertainty    = mean * (1 - mean);
    out.miscalibration = mean_squared(p, y) - after;
    out.discrimination = out.uncertainty - after;
    if (resamples > 0)
        out.band = consistency_band(SortedGroups(p), seed, level, resamples);
    return out;
}

}   // namespace credence
