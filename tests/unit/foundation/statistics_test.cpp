// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "foundation/statistics.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace credence;

TEST(AllFinite, FindsASingleNonFiniteValueAnywhere)
{
    for (const std::size_t n : {0u, 1u, 7u, 16u, 33u}) {
        std::vector<float> values(n, std::numeric_limits<float>::max());
        EXPECT_TRUE(all_finite(std::span<const float>(values))) << n;
        for (std::size_t i = 0; i < n; ++i)
            for (const float bad : {NAN, INFINITY, -INFINITY}) {
                auto spoiled = values;
                spoiled[i]   = bad;
                EXPECT_FALSE(all_finite(std::span<const float>(spoiled))) << i << " of " << n;
            }
    }
}

TEST(RequireFinite, NamesTheFirstNonFiniteValue)
{
    EXPECT_NO_THROW(require_finite("Number", std::vector<double>{1, 2}));
    EXPECT_THAT(
        [] {
        require_finite("Number", std::vector<double>{1, -INFINITY, NAN});
        },
        testing::ThrowsMessage<Error>("Number 1 is -inf, expected a finite number."));
    EXPECT_THAT(
        [] {
        require_no_nan("Number", std::vector<double>{INFINITY, NAN});
        },
        testing::ThrowsMessage<Error>("Number 1 is nan, expected a number."));
}

using testing::ElementsAre;

TEST(Quantiles, EndsAreTheExtremes)
{
    const std::vector<double> values{3, -1, 7, 2};
    EXPECT_EQ(quantile(values, 0), -1);
    EXPECT_EQ(quantile(values, 1), 7);
}

TEST(Quantiles, TheMedianOfAnEvenNumberIsTheMiddleOfTheTwo)
{
    EXPECT_DOUBLE_EQ(quantile(std::vector<double>{1, 2, 10, 4}, 0.5), 3);
}

TEST(Quantiles, OneValueIsEveryQuantile)
{
    EXPECT_THAT(quantiles(std::vector<double>{5}, std::vector<double>{0, 0.3, 1}), ElementsAre(5, 5, 5));
}

TEST(Quantiles, OrderStatisticKIsTheQuantileKOverNMinus1)
{
    const std::vector<double> values{10, 20, 40, 80, 160};
    EXPECT_THAT(quantiles(values, std::vector<double>{0, 0.25, 0.5, 0.75, 1}), ElementsAre(10, 20, 40, 80, 160));
    EXPECT_DOUBLE_EQ(quantile(values, 0.375), 30);
}

TEST(Quantiles, OfInfiniteValuesAreNoNaNWhereOneOrderStatisticIsAsked)
{
    EXPECT_EQ(quantile(std::vector<double>{1, INFINITY}, 0), 1);
    EXPECT_EQ(quantile(std::vector<double>{1, INFINITY}, 0.5), INFINITY);
    EXPECT_EQ(quantile(std::vector<double>{INFINITY, INFINITY}, 0.3), INFINITY);
    EXPECT_EQ(quantile(std::vector<double>{-INFINITY, 2, 3}, 0.5), 2);
}

TEST(Quantiles, CommuteWithScaleAndShift)
{
    const std::vector<double> values{0.3, -2, 1.5, 0.7, 9};
    std::vector<double> moved;
    for (const double v : values)
        moved.push_back(3 * v - 5);
    for (const double p : {0.025, 0.4, 0.975})
        EXPECT_NEAR(quantile(moved, p), 3 * quantile(values, p) - 5, 1e-13) << "p = " << p;
}

TEST(Quantiles, RejectNoValuesAndSharesOutsideTheUnitInterval)
{
    EXPECT_THAT([] { quantile({}, 0.5); }, testing::ThrowsMessage<Error>("Quantile: there are no values."));
    EXPECT_THAT([] { quantile(std::vector<double>{1}, 1.5); },
                testing::ThrowsMessage<Error>("Quantile: the share is 1.5, expected a number from 0 to 1."));
}

TEST(Ecdf, CountsValuesUpToAndIncludingT)
{
    EXPECT_THAT(ecdf(std::vector<double>{2, 1, 2, 3}, std::vector<double>{0.5, 1, 2, 2.5, 3}),
                ElementsAre(0, 0.25, 0.75, 0.75, 1));
}

TEST(EvenlySpaced, ListsIndicesFromTheFirst)
{
    EXPECT_THAT(evenly_spaced(10, 3), ElementsAre(0, 3, 6));
    EXPECT_THAT(evenly_spaced(2, 25), ElementsAre(0, 1));
    EXPECT_THAT(evenly_spaced(0, 5), ElementsAre());
    EXPECT_THAT(evenly_spaced(5, 0), ElementsAre());
}
