// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/rank_normalised.h"

#include "foundation/error.h"
#include "unit/chains/chains_for_tests.h"

#include <gmock/gmock.h>

#include <limits>
#include <numeric>

using namespace credence;
using ::testing::ElementsAre;

namespace {

std::vector<std::uint32_t> folded_ranks(const std::vector<double>& draws)
{
    std::vector<std::uint32_t> twice(draws.size());
    SortedDraws(draws).twice_folded_ranks(twice);
    return twice;
}

}   // namespace

TEST(AverageRanks, OfDistinctValuesAreTheirPositions)
{
    EXPECT_THAT(average_ranks(std::vector<double>{0.3, -2, 10, 0.5}), ElementsAre(2, 1, 4, 3));
}

TEST(AverageRanks, OfTiesAreTheMeanOfTheirPositions)
{
    EXPECT_THAT(average_ranks(std::vector<double>{5, 1, 5, 3, 5}), ElementsAre(4, 1, 4, 2, 4));
    EXPECT_THAT(average_ranks(std::vector<double>{1, 1, 2, 2}), ElementsAre(1.5, 1.5, 3.5, 3.5));
    EXPECT_THAT(average_ranks(std::vector<double>{7, 7, 7}), ElementsAre(2, 2, 2));
    EXPECT_THAT(average_ranks(std::vector<double>{0.0, -0.0}), ElementsAre(1.5, 1.5));
}

TEST(RankNormalised, OfThreeNumbersByHand)
{
    // Φ⁻¹((3 − 3/8)/3.25); python3: statistics.NormalDist().inv_cdf((3 - 3/8)/(3 + 1/4))
    EXPECT_THAT(rank_normalised(std::vector<double>{9, -1, 4}),
                ::testing::Pointwise(::testing::DoubleNear(1e-14), {0.869423773288886, -0.869423773288886, 0.0}));
}

TEST(RankNormalised, IsTheNormalScoreWithTiesAndWithout)
{
    for (const double rounding : {1e-9, 0.25}) {
        auto chains = autoregressive(1, 201, 0.3, 8);
        for (double& x : chains[0])
            x = std::round(x / rounding) * rounding;
        const auto z = rank_normalised(chains[0]);
        EXPECT_THAT(z, ::testing::Pointwise(::testing::DoubleNear(1e-13), naive::normal_scores(chains)[0]));
    }
}

TEST(RankNormalised, DoesNotDependOnWhatARisingFunctionDoes)
{
    const auto x = normals(100, 4);
    auto y       = x;
    for (double& value : y)
        value = std::exp(3 * value);
    EXPECT_EQ(rank_normalised(x), rank_normalised(y));
}

TEST(NormalScores, AreAntisymmetricToTheLastBit)
{
    for (const std::size_t S : {1u, 2u, 5u, 1000u}) {
        const NormalScores scores(S);
        EXPECT_EQ(scores.n_draws(), S);
        for (std::uint32_t twice = 2; twice <= 2 * S; ++twice)
            EXPECT_EQ(scores.of_twice_rank(twice),
                      -scores.of_twice_rank(static_cast<std::uint32_t>(2 * S + 2) - twice));
    }
}

TEST(SortedDraws, KnowMedianAndQuantiles)
{
    const SortedDraws odd(std::vector<double>{3, 1, 2}), even(std::vector<double>{4, 1, 2, 8});
    EXPECT_EQ(odd.median(), 2);
    EXPECT_EQ(even.median(), 3);
    EXPECT_EQ(SortedDraws(std::vector<double>{-1e308, -1.6e308, -1e308, -1.6e308}).median(), -1.3e308);
    // Type 7 at p of (1, 2, 4, 8): place 3 p.
    EXPECT_EQ(even.not_above_quantile(0), 1);
    EXPECT_EQ(even.not_above_quantile(0.3), 1);
    EXPECT_EQ(even.not_above_quantile(0.34), 2);
    EXPECT_EQ(even.not_above_quantile(1), 8);
}

TEST(SortedDraws, FoldAboutTheMedian)
{
    // median 3; |x − 3| = 2, 1, 0, 1, 7: ranks 4, 2.5, 1, 2.5, 5
    EXPECT_THAT(folded_ranks({1, 2, 3, 4, 10}), ElementsAre(8, 5, 2, 5, 10));
    // median 2.5; 1.5, 0.5, 1.5, 0.5
    EXPECT_THAT(folded_ranks({4, 3, 1, 2}), ElementsAre(7, 3, 7, 3));
    EXPECT_THAT(folded_ranks({0, 1, 1, 0}), ElementsAre(5, 5, 5, 5));
}

TEST(SortedDraws, FoldedRanksAreTheRanksOfTheDistances)
{
    for (const std::size_t n : {1u, 2u, 3u, 50u, 51u})
        for (const double rounding : {1e-9, 0.5}) {
            auto x = normals(n, n);
            for (double& value : x)
                value = std::round(value / rounding) * rounding;
            const double median = SortedDraws(x).median();
            auto distance       = x;
            for (double& value : distance)
                value = std::fabs(value - median);
            std::vector<std::uint32_t> twice;
            for (const double rank : average_ranks(distance))
                twice.push_back(static_cast<std::uint32_t>(2 * rank));
            EXPECT_EQ(folded_ranks(x), twice) << n << " draws, rounded to " << rounding;
        }
}

TEST(RankHistogram, CountsTheRanksOfEachChain)
{
    // Ranks 1 to 8: chain 0 has 1, 2, 3, 8, chain 1 has 4, 5, 6, 7.
    const auto table = together({{0.1, 0.2, 0.3, 9}, {1, 2, 3, 4}});
    const auto two   = rank_histogram(table.view(), 2);
    EXPECT_EQ(two.why_not, "");
    EXPECT_EQ(two.expected, 2);
    EXPECT_THAT(two.of_chain(0), ElementsAre(3, 1));
    EXPECT_THAT(two.of_chain(1), ElementsAre(1, 3));
    EXPECT_THAT(rank_histogram(table.view(), 4).counts, ElementsAre(2, 1, 0, 1, 0, 1, 2, 1));
    EXPECT_THAT(rank_histogram(table.view(), 1).counts, ElementsAre(4, 4));
}

TEST(RankHistogram, OfTiesPutsAllOfThemIntoOneBin)
{
    // Six zeros with rank 3.5 of 8: (3.5 − 0.5) 4/8 = 1.5; ranks 7 and 8: bin 3
    const auto histogram = rank_histogram(together({{0, 0, 0, 1}, {0, 0, 0, 2}}).view(), 4);
    EXPECT_THAT(histogram.counts, ElementsAre(0, 3, 0, 1, 0, 3, 0, 1));
}

TEST(RankHistogram, CountsEachDrawOnceForAnyBins)
{
    const auto table = together(autoregressive(3, 101, 0.9, 2));
    for (const std::size_t bins : {1u, 7u, 20u, 1000u}) {
        const auto histogram = rank_histogram(table.view(), bins);
        for (std::size_t c = 0; c < 3; ++c) {
            const auto counts = histogram.of_chain(c);
            EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::size_t{0}), 101u);
        }
    }
}

TEST(RankHistogram, SaysWhyItIsUnavailable)
{
    const double inf = std::numeric_limits<double>::infinity();
    EXPECT_EQ(rank_histogram(together({{1, 2, 3, 4}, {5, -inf, 7, 8}}).view(), 4).why_not,
              "Rank histogram: draw 1 of chain 1 is -inf, expected finite numbers.");
    EXPECT_EQ(rank_histogram({}, 4).why_not, "Rank histogram: there are no chains.");
    const auto table = together({{1, 2, 3, 4}});
    EXPECT_THAT([&] { rank_histogram(table.view(), 0); },
                ::testing::ThrowsMessage<Error>("Rank histogram: found 0 bins, expected at least 1."));
}
