// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/rank_normalised.h"

#include "chains/split_chains.h"
#include "foundation/error.h"

#include <boost/math/special_functions/erf.hpp>
#include <boost/sort/pdqsort/pdqsort.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace credence {

NormalScores::NormalScores(std::size_t n_draws) : z_(n_draws > 0 ? 2 * n_draws - 1 : 0, 0)
{
    for (std::size_t i = 0; i < z_.size() / 2; ++i) {   // the middle score is 0, the upper half mirrors the lower
        const double r        = 0.5 * static_cast<double>(i + 2);
        const double p        = (r - 0.375) / (static_cast<double>(n_draws) + 0.25);
        z_[i]                 = -std::numbers::sqrt2 * boost::math::erfc_inv(2 * p);   // Φ⁻¹(p)
        z_[z_.size() - 1 - i] = -z_[i];
    }
}

void SortedDraws::sort(std::span<const double> draws)
{
    sorted_.resize(draws.size());
    for (std::size_t i = 0; i < draws.size(); ++i)
        sorted_[i] = {draws[i], static_cast<std::uint32_t>(i)};
    boost::sort::pdqsort_branchless(sorted_.begin(), sorted_.end(),
                                    [](const Draw& a, const Draw& b) { return a.value < b.value; });
}

double SortedDraws::median() const
{
    const std::size_t n = sorted_.size();
    const double high   = at(n / 2);
    return n % 2 != 0 ? high : at(n / 2 - 1) / 2 + high / 2;
}

double SortedDraws::not_above_quantile(double p) const
{
    return at(std::min(static_cast<std::size_t>(static_cast<double>(size() - 1) * p), size() - 1));
}

void SortedDraws::rank(std::span<const Draw> sorted, std::span<std::uint32_t> out)
{
    for (std::size_t first = 0, end = 0; first < sorted.size(); first = end) {
        while (end < sorted.size() && sorted[end].value == sorted[first].value)
            ++end;
        for (std::size_t k = first; k < end; ++k)   // ranks first + 1 … end
            out[sorted[k].at] = static_cast<std::uint32_t>(first + 1 + end);
    }
}

void SortedDraws::twice_ranks(std::span<std::uint32_t> out) const { rank(sorted_, out); }

void SortedDraws::twice_folded_ranks(std::span<std::uint32_t> out)
{
    const double middle = median();
    folded_.clear();
    std::size_t high = size() / 2, low = high;   // not yet processed: [0, low) and [high, size)
    while (low > 0 || high < size()) {
        const double below = low > 0 ? std::fabs(at(low - 1) - middle) : 0;
        const double above = high < size() ? std::fabs(at(high) - middle) : 0;
        if (high == size() || (low > 0 && below <= above))
            folded_.push_back({below, sorted_[--low].at});
        else
            folded_.push_back({above, sorted_[high++].at});
    }
    rank(folded_, out);
}

std::vector<double> average_ranks(std::span<const double> draws)
{
    std::vector<std::uint32_t> twice(draws.size());
    SortedDraws(draws).twice_ranks(twice);
    std::vector<double> ranks(draws.size());
    std::transform(twice.begin(), twice.end(), ranks.begin(), [](std::uint32_t r) { return 0.5 * r; });
    return ranks;
}

std::vector<double> rank_normalised(std::span<const double> draws)
{
    const NormalScores scores(draws.size());
    std::vector<std::uint32_t> twice(draws.size());
    SortedDraws(draws).twice_ranks(twice);
    std::vector<double> z(draws.size());
    std::transform(twice.begin(), twice.end(), z.begin(), [&](std::uint32_t r) { return scores.of_twice_rank(r); });
    return z;
}

RankHistogram rank_histogram(const ScalarDraws& draws, std::size_t n_bins)
{
    draws.check();
    if (n_bins == 0)
        throw Error("Rank histogram: found 0 bins, expected at least 1.");
    RankHistogram out{.n_chains = draws.n_chains, .n_bins = n_bins};
    if (const auto refused = why_not_judged("Rank histogram", draws)) {
        out.why_not = refused->why_not();
        return out;
    }
    out.expected = static_cast<double>(draws.n_draws) / static_cast<double>(n_bins);
    out.counts.assign(draws.n_chains * n_bins, 0);
    const std::size_t S = draws.values.size();
    std::vector<std::uint32_t> twice(S);
    SortedDraws(draws.values).twice_ranks(twice);
    for (std::size_t i = 0; i < S; ++i)
        ++out.counts[i / draws.n_draws * n_bins + (twice[i] - 1) * n_bins / (2 * S)];   // integers: exact
    return out;
}

}   // namespace credence
