// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/double_well.h"
#include "unit/charts/series_of.h"
#include "views/double_well.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace credence::double_well {
namespace {

using testing::HasSubstr;

ChainPair pair_after(long steps)
{
    ChainPair pair({.seed = 2});
    pair.advance(steps);
    return pair;
}

const LongChain& short_reference()
{
    static const LongChain made = long_chain({.steps = 20'000, .every = 20});
    return made;
}

TEST(DoubleWellFigures, BothChainsAreDrawnAtTheirPositions)
{
    const ChainPair pair = pair_after(30);
    const Panel wells    = chain_pair_chart(pair).panels.at(0);
    const auto points    = series_of<Points>(wells);
    const double theta   = pair.points().back();
    EXPECT_EQ(points.back().x, std::vector{theta});
    EXPECT_EQ(points.back().y, std::vector{potential(theta)});
    const auto& now = pair.gaussians().back();
    const auto bell = series_of<Band>(wells).at(0);
    EXPECT_EQ(bell.lower.front(), expected_potential(now.mu, now.sd).value);
    const auto top = std::max_element(bell.upper.begin(), bell.upper.end()) - bell.upper.begin();
    EXPECT_NEAR(bell.x[static_cast<std::size_t>(top)], now.mu, 1e-12);
    EXPECT_EQ(wells.title, "Step 30");
}

TEST(DoubleWellFigures, HaveAsManySeriesAtEveryStep)
{
    for (const long steps : {0L, 3L, 2500L}) {
        const ChainPair pair = pair_after(steps);
        for (const auto& [chart, other] :
             {std::pair{chain_pair_chart(pair), chain_pair_chart(pair_after(7))},
              {trace_chart(pair), trace_chart(pair_after(7))},
              {density_chart(pair, short_reference()), density_chart(pair_after(7), short_reference())}}) {
            ASSERT_EQ(chart.panels.size(), other.panels.size());
            for (std::size_t p = 0; p < chart.panels.size(); ++p)
                EXPECT_EQ(chart.panels[p].series.size(), other.panels[p].series.size());
        }
        EXPECT_LE(series_of<Line>(trace_chart(pair).panels[0])[0].x.size(), 1000U);
    }
    EXPECT_THAT(trace_chart(pair_after(2500)).caption, HasSubstr("One in 3 states is drawn."));
}

TEST(DoubleWellFigures, TheLandscapeIsTheFreeEnergyUpToItsCeiling)
{
    const Panel panel = chain_pair_chart(pair_after(1)).panels.at(1);
    const HeatMap map = series_of<HeatMap>(panel).at(0);
    ASSERT_EQ(map.z.size(), static_cast<std::size_t>(map.nx * map.ny));
    const auto at = [&](int column, int row) {
        return static_cast<double>(map.z[static_cast<std::size_t>(row * map.nx + column)]);
    };
    EXPECT_NEAR(at(35, 20), free_energy(0, 1.1).value, 1e-5);
    EXPECT_NEAR(at(57, 5), free_energy(2.2, 0.35).value, 1e-5);
    EXPECT_FLOAT_EQ(map.z.front(), static_cast<float>(map.z_range.second));
    EXPECT_NEAR(map.contours.at(0) - map.z_range.first, functional_barrier(), 1e-12);
}

TEST(DoubleWellFigures, EveryDensityIntegratesToOne)
{
    const Panel panel = density_chart(pair_after(400), short_reference()).panels.at(0);
    const auto bars   = series_of<Bars>(panel).at(0);
    double mass       = 0;
    for (const double height : bars.height)
        mass += height * bars.width;
    EXPECT_NEAR(mass, 1, 1e-9);
    const auto lines = series_of<Line>(panel);
    ASSERT_EQ(lines.size(), 3U);
    for (const auto& line : lines) {
        double sum = 0;
        for (std::size_t i = 0; i + 1 < line.x.size(); ++i)
            sum += line.y[i] * (line.x[i + 1] - line.x[i]);
        EXPECT_NEAR(sum, 1, 2e-3) << line.name;
    }
}

TEST(DoubleWellFigures, NumbersWithoutDrawsAreUnknown)
{
    const auto rows = numbers_chart(pair_after(0), short_reference()).table.value().rows;
    EXPECT_EQ(std::get<std::string>(rows.at(0).at(3)), "–");
    EXPECT_EQ(std::get<std::string>(rows.at(4).at(4)), "–");
    EXPECT_EQ(std::get<double>(rows.at(1).at(1)), variance());
    const ChainPair pair = pair_after(50);
    const auto later     = numbers_chart(pair, short_reference()).table.value().rows;
    EXPECT_EQ(std::get<double>(later.at(0).at(3)), *pair.plain().mean());
    EXPECT_EQ(std::get<double>(later.at(2).at(4)), *pair.functional().right_share());
    EXPECT_EQ(std::get<double>(later.at(5).at(4)), functional_barrier());
}

std::vector<double> bins_of(const std::vector<double>& draws)
{
    Tally tally;
    for (const double draw : draws)
        tally.add({draw, 0});
    return tally.bins();
}

/// Of a line near θ.
double near(const std::vector<double>& x, const std::vector<double>& y, double theta)
{
    const auto at = std::lower_bound(x.begin(), x.end(), theta - 1e-9) - x.begin();
    return y.at(static_cast<std::size_t>(at));
}

/// Two known distributions: draws at equal quantiles of a normal in each well, and those of the right well alone.
TEST(DoubleWellFigures, TheRatioToHalfTheReferenceIsOneHalfWhereTheChainHasBeen)
{
    std::vector<double> right, both;
    for (int i = 0; i < 200; ++i) {
        const double place = 2.2 + 0.3 * std::sin(1.0 + i);
        right.push_back(place);
        both.insert(both.end(), {place, -place});
    }
    const RatioSamples samples{.reference       = both,
                               .plain           = right,
                               .functional      = both,
                               .reference_bins  = bins_of(both),
                               .plain_bins      = bins_of(right),
                               .functional_bins = bins_of(both),
                               .steps           = 200};
    const auto ratios = density_ratios(samples);
    EXPECT_DOUBLE_EQ(ratios.plain.reached, 0.5);
    EXPECT_DOUBLE_EQ(ratios.functional.reached, 1);
    EXPECT_EQ(ratios.plain.why_not, "");
    EXPECT_NEAR(near(ratios.plain.theta, ratios.plain.kliep, 2.2), 0.5, 0.1);
    EXPECT_NEAR(near(ratios.functional.theta, ratios.functional.kliep, 2.2), 1, 0.1);
    EXPECT_TRUE(std::isnan(near(ratios.plain.theta, ratios.plain.kliep, -2.2))) << "it has not been there";
    const auto bin = static_cast<std::size_t>(Bins::of(2.2));
    EXPECT_NEAR(ratios.plain.by_long_chain.at(bin), 0.5, 1e-12);
    EXPECT_NEAR(ratios.functional.by_long_chain.at(bin), 1, 1e-12);
    EXPECT_TRUE(std::isnan(ratios.plain.by_long_chain.at(static_cast<std::size_t>(Bins::of(-2.2)))));

    const Chart chart = to_chart(ratios);
    ASSERT_EQ(chart.panels.size(), 2U);
    EXPECT_EQ(chart.panels[0].y.range, chart.panels[1].y.range);
    EXPECT_THAT(chart.caption, HasSubstr("Plain: 50 % of the long chain is where this chain has been"));
}

TEST(DoubleWellFigures, AFewDrawsHaveNoRatioAndAMessageExplainsWhy)
{
    const auto ratios = density_ratios(ratio_samples(pair_after(2), short_reference()));
    EXPECT_THAT(ratios.plain.why_not, HasSubstr("KLIEP needs 10 draws: the chain has 2"));
    EXPECT_EQ(ratios.functional.why_not, "") << "100 from each of two";
    EXPECT_THAT(to_chart(ratios).caption, HasSubstr("KLIEP needs 10 draws"));
    const auto none = density_ratios(ratio_samples(pair_after(0), short_reference()));
    EXPECT_EQ(none.functional.reached, 0);
    EXPECT_EQ(to_chart(none).panels.size(), 2U);
}

/// Each pair counts as it does alone; a side has at least half of the states.
TEST(DoubleWellSeeds, AreThePairsOfEachSeed)
{
    const LongChainOptions reference{.steps = 20'000, .every = 20};
    const auto pairs = chains_over_seeds({.seed = 4}, 300, 2, reference);
    EXPECT_EQ(pairs.diverged, 0);
    ASSERT_EQ(pairs.plain.crossings.size(), 2U);
    for (const std::uint64_t seed : {4U, 5U}) {
        ChainPair pair({.seed = seed});
        pair.advance(300);
        const double right = *pair.functional().right_share();
        EXPECT_EQ(pairs.functional.larger_share[seed - 4], std::max(right, 1 - right));
        EXPECT_EQ(pairs.functional.crossings[seed - 4], static_cast<double>(pair.functional_crossings()));
    }
    ChainPair first({.seed = 4});
    first.advance(300);
    LongChainOptions of_first = reference;
    of_first.seed             = 4;
    const auto ratio          = density_ratios(ratio_samples(first, long_chain(of_first))).functional;
    ASSERT_NEAR(ratio.theta.at(160), 0, 1e-12);
    EXPECT_EQ(pairs.functional.kliep[1].at(0), ratio.kliep.at(160));
    ASSERT_NEAR(ratio.theta.at(249), std::sqrt(5.0), 0.0125);
    EXPECT_EQ(pairs.functional.kliep[2].at(0), ratio.kliep.at(249));

    const Chart numbers = numbers_chart(pairs);
    ASSERT_EQ(numbers.table->rows.size(), 10U);
    EXPECT_THAT(numbers.caption, HasSubstr("Seeds 4 to 5, 300 steps of size 0.02."));
}

TEST(DoubleWellSeeds, ThatDivergeAreCountedAndLeftOut)
{
    const auto pairs = chains_over_seeds({.step_size = 1, .start = 3}, 10, 3);
    EXPECT_EQ(pairs.diverged, 3);
    EXPECT_TRUE(pairs.plain.crossings.empty());
    EXPECT_THAT(numbers_chart(pairs).caption, HasSubstr("Diverged and left out: 3."));
}

}   // namespace
}   // namespace credence::double_well
