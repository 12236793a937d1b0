// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/scalar_draws.h"

#include "chains/diagnostic_value.h"
#include "foundation/error.h"

#include <gmock/gmock.h>

#include <limits>

using namespace credence;
using ::testing::ElementsAre;

TEST(ScalarDraws, AreStoredChainByChain)
{
    const std::vector<double> values{1, 2, 3, 4, 5, 6};
    const ScalarDraws draws{values, 2, 3};
    EXPECT_THAT(draws.chain(0), ElementsAre(1, 2, 3));
    EXPECT_THAT(draws.chain(1), ElementsAre(4, 5, 6));
}

TEST(ScalarDraws, AreRejectedWhereTheShapeDoesNotFit)
{
    const std::vector<double> values(7, 0);
    EXPECT_THAT(([&] {
                    ScalarDraws{values, 2, 4}.check();
                }),
                ::testing::ThrowsMessage<Error>("Draws of chains: found 7 values, expected 2 chains of 4 draws."));
}

TEST(ScalarDraws, AreCutToTheFirstDrawsOfTheShortestChain)
{
    const std::vector<std::vector<double>> chains{{1, 2, 3, 4}, {5, 6, 7}, {8, 9, 10, 11, 12}};
    const auto cut = cut_to_shortest(chains);
    EXPECT_EQ(cut.n_chains, 3u);
    EXPECT_EQ(cut.n_draws, 3u);
    EXPECT_THAT(cut.values, ElementsAre(1, 2, 3, 5, 6, 7, 8, 9, 10));
    EXPECT_EQ(cut_to_shortest({}).n_chains, 0u);
}

TEST(ScalarDraws, AreScaledByAPowerOfTwo)
{
    const auto factor_of = [](std::vector<double> values) { return unit_factor(values); };
    EXPECT_EQ(factor_of({0, 0}), 1);
    EXPECT_EQ(factor_of({1, -3}), 1);            // 3 is in [2, 4)
    EXPECT_EQ(factor_of({0.25, -0.125}), 8);     // 0.25 becomes 2
    EXPECT_EQ(factor_of({1e3, 4}), 1.0 / 256);   // 1000/256 = 3.9
    const double largest = std::numeric_limits<double>::max(), smallest = std::numeric_limits<double>::min();
    EXPECT_LT(factor_of({largest}) * largest, 4.0001);
    EXPECT_GE(factor_of({largest}), smallest);   // a normal number
    EXPECT_LT(factor_of({smallest}), std::numeric_limits<double>::infinity());
}

TEST(DiagnosticValue, IsAFiniteNumberOrASentence)
{
    const DiagnosticValue two = 2.0;
    EXPECT_TRUE(two);
    EXPECT_EQ(*two, 2.0);
    EXPECT_EQ(two.why_not(), "");
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        const DiagnosticValue none = bad;
        EXPECT_FALSE(none);
        EXPECT_FALSE(none.value().has_value());
        EXPECT_THROW(*none, std::bad_optional_access);
        EXPECT_EQ(none.why_not(), "The value is beyond the range of numbers.");
    }
}
