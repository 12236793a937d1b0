// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/convergence.h"
#include "foundation/error.h"
#include "unit/chains/chains_for_tests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <numeric>
#include <random>

using namespace credence;
using ::testing::ElementsAre;

namespace {

std::vector<std::uint32_t> folded_ranks(const std::vector<double>& draws)
{
    std::vector<std::uint32_t> twice(draws.size());
    SortedDraws(draws).twice_folded_ranks(twice);
    return twice;
}

std::vector<std::uint32_t> twice_ranks(std::span<const double> draws)
{
    std::vector<std::uint32_t> twice(draws.size());
    SortedDraws(draws).twice_ranks(twice);
    return twice;
}
/// Ranks r from 1, ties with their mean rank.
std::vector<double> average_ranks(std::span<const double> draws)
{
    std::vector<double> ranks;
    for (const auto twice : twice_ranks(draws))
        ranks.push_back(0.5 * twice);
    return ranks;
}
std::vector<double> rank_normalised(std::span<const double> draws)
{
    const NormalScores scores(draws.size());
    std::vector<double> z;
    for (const auto twice : twice_ranks(draws))
        z.push_back(scores.of_twice_rank(twice));
    return z;
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

TEST(SortedDraws, HaveMedianAndQuantiles)
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

TEST(RankHistogram, StatesWhyItIsUnavailable)
{
    const double inf = std::numeric_limits<double>::infinity();
    EXPECT_EQ(rank_histogram(together({{1, 2, 3, 4}, {5, -inf, 7, 8}}).view(), 4).why_not,
              "Rank histogram: draw 1 of chain 1 is -inf, expected finite numbers.");
    EXPECT_EQ(rank_histogram({}, 4).why_not, "Rank histogram: there are no chains.");
    const auto table = together({{1, 2, 3, 4}});
    EXPECT_THAT([&] { rank_histogram(table.view(), 0); },
                ::testing::ThrowsMessage<Error>("Rank histogram: found 0 bins, expected at least 1."));
}

TEST(MonteCarloErrors, OfFourNumbersByHand)
{
    // Mean 2.5, variance 5/3. ESS of (1, 2), (3, 4): 18/11, see EssOfChains.
    const auto found = monte_carlo_errors(together({{1, 2, 3, 4}}).view());
    EXPECT_DOUBLE_EQ(*found.mean, 2.5);
    EXPECT_NEAR(*found.sd, std::sqrt(5.0 / 3), 1e-15);
    EXPECT_NEAR(*found.mean_ess, 18.0 / 11, 1e-14);
    EXPECT_NEAR(*found.of_mean, std::sqrt(5.0 / 3 / (18.0 / 11)), 1e-14);
    // (x − 2.5)² = (2.25, 0.25), (0.25, 2.25): means 1.25, W = 2, γ(0) = 1 = var⁺, γ(1) = −½, ρ(1)
    // = −3/2: τ < 1/log10 4, ESS' = 4 log10 4.
    // m_2 = 1.25, m_4 − m_2² = 1.
    EXPECT_NEAR(*found.of_sd, std::sqrt(1 / (4 * std::log10(4))) / (2 * std::sqrt(1.25)), 1e-14);
}

TEST(MonteCarloErrors, AreHowFarTheEstimatesScatter)
{
    // 300 times four chains of 200 draws with φ = 0.6: the empirical standard deviation of the
    // estimates, known to 4 %, compared with the mean reported error.
    const int times = 300;
    naive::Chain means, sds, error_of_mean, error_of_sd;
    for (int k = 0; k < times; ++k) {
        const auto table = together(autoregressive(4, 200, 0.6, 1000 + static_cast<std::uint64_t>(k)));
        const auto found = monte_carlo_errors(table.view());
        means.push_back(*found.mean);
        sds.push_back(*found.sd);
        error_of_mean.push_back(*found.of_mean);
        error_of_sd.push_back(*found.of_sd);
    }
    EXPECT_NEAR(naive::mean(error_of_mean) / std::sqrt(naive::variance(means)), 1, 0.13);
    EXPECT_NEAR(naive::mean(error_of_sd) / std::sqrt(naive::variance(sds)), 1, 0.13);
}

TEST(MonteCarloErrors, HaveTheUnitOfTheQuantity)
{
    const auto chains = autoregressive(3, 90, 0.5, 7);
    const auto a      = monte_carlo_errors(together(chains).view());
    for (const double unit : {8.0, 0x1p1000, 0x1p-900}) {
        const auto table = together(naive::map(chains, [=](double x) { return unit * x; }));
        const auto b     = monte_carlo_errors(table.view());
        EXPECT_EQ(*b.mean, unit * *a.mean);
        EXPECT_EQ(*b.sd, unit * *a.sd);
        EXPECT_EQ(*b.mean_ess, *a.mean_ess);
        EXPECT_EQ(*b.of_mean, unit * *a.of_mean);
        EXPECT_EQ(*b.of_sd, unit * *a.of_sd);
    }
}

TEST(MonteCarloErrors, StateWhyThereAreNone)
{
    const auto constant = monte_carlo_errors(together({{2, 2, 2, 2}}).view());
    EXPECT_EQ(constant.of_mean.why_not(), "Monte Carlo error: all draws are 2, so nothing varies.");
    EXPECT_FALSE(constant.mean);
    EXPECT_FALSE(monte_carlo_errors(together({{1, 2, std::nan(""), 2}}).view()).of_sd);
    EXPECT_FALSE(monte_carlo_errors(together({{1, 2}}).view()).of_sd);
    EXPECT_FALSE(
        monte_carlo_errors(together({{1, 1, 2, 1, 1}}).view()).of_mean);   // without its middle draw a constant
    const auto signs = monte_carlo_errors(together({{1, -1, 1, -1}}).view());
    EXPECT_TRUE(signs.of_mean);
    EXPECT_EQ(signs.of_sd.why_not(),
              "Error of the standard deviation: all draws have the same distance from the mean.");
}

// Numbers of the authors' own program: R 4.2, package posterior 1.4.0 of Debian 12.
//
//     chains <- function(M, n, phi, seed) {
//       s <- seed; x <- matrix(0, n, M)
//       for (m in 1:M) { v <- 0
//         for (t in 1:n) { s <- (16807 * s) %% 2147483647; v <- phi * v + s / 2147483647 - 0.5; x[t, m] <- v } }
//       x }
//     plain chains(4, 250, 0.8, 1); shifted chains(4, 250, 0.8, 2), chain 1 + 0.5;
//     wider chains(3, 200, 0.3, 3), chain 2 times 3;
//     ties floor(4 * chains(4, 250, 0.5, 4)) / 4; antithetic chains(2, 300, -0.6, 5); one chains(1, 100, 0.9, 6);
//     stuck chains(4, 100, 0.5, 7), chain 3 all 0.125; slow chains(2, 2000, 0.99, 8)
//     sprintf("%.12g", c(rhat(x), rhat_basic(x), ess_bulk(x), ess_tail(x), ess_mean(x),
//                      mcse_mean(x), mcse_sd(x)))

namespace {

naive::Chains minstd_chains(std::size_t M, std::size_t n, double phi, unsigned seed)
{
    std::minstd_rand0 random(seed);
    naive::Chains chains(M, naive::Chain(n));
    for (auto& chain : chains) {
        double v = 0;
        for (double& x : chain)
            x = v = phi * v + static_cast<double>(random()) / 2147483647.0 - 0.5;
    }
    return chains;
}
naive::Chains with(naive::Chains chains, std::size_t c, const std::function<double(double)>& f)
{
    for (double& x : chains[c])
        x = f(x);
    return chains;
}

struct Reference {
    const char* name;
    naive::Chains chains;
    std::vector<double> numbers;
};
std::vector<Reference> references()
{
    const auto quarters = [](double x) { return std::floor(4 * x) / 4; };
    return {
        {"plain",
         minstd_chains(4, 250, 0.8, 1),
         {1.02538582421, 1.0262695286, 107.759048117, 247.991608024, 105.235766633, 0.0462501420162, 0.0169159000093}},
        {"shifted",
         with(minstd_chains(4, 250, 0.8, 2), 0, [](double x) { return x + 0.5; }),
         {1.23692169976, 1.23752627399, 15.3779837916, 65.1809078457, 15.2423873111, 0.144991639211, 0.0319626200535}},
        {"wider",
         with(minstd_chains(3, 200, 0.3, 3), 1, [](double x) { return 3 * x; }),
         {1.24548407758, 1.00008144335, 310.718974873, 59.7161879809, 294.812807256, 0.0342530532192, 0.173981068036}},
        {"ties",
         naive::map(minstd_chains(4, 250, 0.5, 4), quarters),
         {1.01813991559, 1.01808979297, 358.511087982, 542.352873779, 359.781127172, 0.0184407291786,
          0.00788491589993}},
        {"antithetic",
         minstd_chains(2, 300, -0.6, 5),
         {0.998878404519, 0.997867326957, 1666.89075023, 647.567010988, 1666.89075023, 0.00841132041122,
          0.0106596496848}},
        {"one",
         minstd_chains(1, 100, 0.9, 6),
         {1.28376838713, 1.30320135934, 3.07314061078, 19.3028899184, 2.99002528863, 0.476228178453, 0.128598247137}},
        {"stuck",
         with(minstd_chains(4, 100, 0.5, 7), 2, [](double) { return 0.125; }),
         {1.53631456153, 1.00928140522, 151.485608172, 221.907952809, 142.956213492, 0.0246521920097, 0.0372390344938}},
        {"slow",
         minstd_chains(2, 2000, 0.99, 8),
         {1.0686295011, 1.02069368608, 24.1843420479, 74.773870975, 23.4955606356, 0.402216908968, 0.16244717951}}};
}

}   // namespace

TEST(ConvergenceReference, IsThatOfTheAuthorsProgram)
{
    for (const auto& reference : references()) {
        const auto table = together(reference.chains);
        const auto found = convergence(table.view());
        const auto error = monte_carlo_errors(table.view());
        const std::vector<DiagnosticValue> values{found.r_hat,    found.plain_r_hat, found.bulk_ess, found.tail_ess,
                                                  error.mean_ess, error.of_mean,     error.of_sd};
        for (std::size_t i = 0; i < values.size(); ++i)
            EXPECT_NEAR(*values[i], reference.numbers[i], 1e-10 * reference.numbers[i])
                << reference.name << ", number " << i;
    }
}

// ess_bulk of the same program for short chains, by its formula written again in NumPy, which gives
// the numbers above to all digits. chains(M, n, phi, 9); in the last three, the even lag after the
// last pair is negative.
TEST(ConvergenceReference, BulkEssOfShortChainsIsThatOfTheAuthorsFormula)
{
    struct Case {
        std::size_t M, n;
        double phi;
        unsigned seed;
        double ess;
    };
    for (const auto& [M, n, phi, seed, ess] :
         {Case{3, 40, 0.9, 9, 13.0970177586}, Case{2, 12, 0.5, 9, 26.4543882641}, Case{3, 25, 0.9, 9, 5.72531841243},
          Case{2, 50, 0.99, 9, 6.09260679502}, Case{4, 100, 0.5, 9, 148.0923532}, Case{1, 200, 0.8, 9, 15.0413935192},
          Case{2, 199, -0.5, 9, 1028.68729363}, Case{4, 13, 0, 9, 42.2306259929}, Case{4, 16, 0, 3, 57.1954140116},
          Case{2, 18, 0.5, 3, 18.3185145283}})
        EXPECT_NEAR(*convergence(together(minstd_chains(M, n, phi, seed)).view()).bulk_ess, ess, 1e-10 * ess)
            << M << " chains of " << n;
}
