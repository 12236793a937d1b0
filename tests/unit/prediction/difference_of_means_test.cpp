// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/difference_of_means.h"

#include "unit/random_values.h"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace credence {
namespace {

using ::testing::DoubleNear;
using ::testing::Optional;

TEST(PairedDifference, MatchesStudentsTByHand)
{
    // d = 1, 2, 3: mean 2, s = 1, e = 1/√3, t = 2√3; two degrees of freedom have F(t) = 1/2 + t /
    // (2 √(2 + t²)), whose 0.975 quantile is 4.30265.
    const std::vector<double> a{2, 4, 6}, b{1, 2, 3};
    const auto d   = paired_difference(a, b);
    const double t = 2 * std::sqrt(3.0), e = 1 / std::sqrt(3.0), below = 0.5 - t / (2 * std::sqrt(2 + t * t));
    EXPECT_EQ(d.n_a, 3u);
    EXPECT_THAT(d.mean, Optional(DoubleNear(2, 1e-12)));
    EXPECT_THAT(d.standard_error, Optional(DoubleNear(e, 1e-12)));
    EXPECT_THAT(d.degrees_of_freedom, Optional(2.0));
    EXPECT_THAT(d.probability_less, Optional(DoubleNear(below, 1e-10)));
    EXPECT_THAT(d.p_value, Optional(DoubleNear(2 * below, 1e-10)));
    EXPECT_THAT(d.half_width, Optional(DoubleNear(4.302652729749462 * e, 1e-8)));
}

TEST(PairedDifference, OfTwoPairsHasTheCauchyDistribution)
{
    // d = 0, 2: mean 1, s = √2, e = 1; one degree of freedom has F(t) = 1/2 + arctan(t)/π.
    const auto d = paired_difference(std::vector<double>{1, 3}, std::vector<double>{1, 1});
    EXPECT_THAT(d.probability_less, Optional(DoubleNear(0.25, 1e-10)));
    EXPECT_THAT(d.p_value, Optional(DoubleNear(0.5, 1e-10)));
    EXPECT_THAT(d.half_width, Optional(DoubleNear(12.706204736174694, 1e-6)));
}

TEST(PairedDifference, ChangesSignWithItsArguments)
{
    const std::vector<double> a{0.3, 0.1, 0.4, 0.2}, b{0.2, 0.25, 0.1, 0.15};
    const auto there = paired_difference(a, b), back = paired_difference(b, a);
    EXPECT_NEAR(*there.mean, -*back.mean, 1e-15);
    EXPECT_NEAR(*there.probability_less + *back.probability_less, 1, 1e-12);
    EXPECT_NEAR(*there.p_value, *back.p_value, 1e-12);
    EXPECT_NEAR(*there.half_width, *back.half_width, 1e-12);
}

TEST(PairedDifference, OfOnePairOrOfEqualDifferencesHasNoPValue)
{
    const auto one = paired_difference(std::vector<double>{1}, std::vector<double>{3});
    EXPECT_EQ(one.n_a, 1u);
    EXPECT_EQ(one.mean, -2);
    EXPECT_FALSE(one.standard_error || one.p_value || one.half_width || one.detectable());
    const auto same = paired_difference(std::vector<double>{1.1, 2.1}, std::vector<double>{1, 2});
    EXPECT_TRUE(same.mean && same.standard_error);
    EXPECT_FALSE(same.p_value || same.probability_less || same.half_width || same.detectable());
    EXPECT_EQ(paired_difference({}, {}), MeanDifference{.paired = true});
}

TEST(PairedDifference, SkipsPairsWithANonFiniteValue)
{
    const double none = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(paired_difference(std::vector<double>{1, none, 3, 5}, std::vector<double>{1, 2, 2, 1}),
              paired_difference(std::vector<double>{1, 3, 5}, std::vector<double>{1, 2, 1}));
}

TEST(UnpairedDifference, MatchesWelchsTByHand)
{
    // s_a²/n_a = 1/3, s_b²/n_b = 8/2 = 4: e² = 13/3, ν = (13/3)² / ((1/9)/2 + 16/1) = 1.16955…
    const std::vector<double> a{1, 2, 3}, b{4, 8};
    const auto d = unpaired_difference(a, b);
    EXPECT_FALSE(d.paired);
    EXPECT_THAT(d.mean, Optional(DoubleNear(-4, 1e-12)));
    EXPECT_THAT(d.standard_error, Optional(DoubleNear(std::sqrt(13.0 / 3), 1e-12)));
    EXPECT_THAT(d.degrees_of_freedom, Optional(DoubleNear((169.0 / 9) / (1.0 / 18 + 16), 1e-12)));
}

TEST(UnpairedDifference, WithOneValueOnOneSideUsesTheSpreadOfTheOther)
{
    // errors 0.10 and 0.12 against 0.155: s √1.5 = 0.0173, one degree of freedom, half-width 12.7 · 0.0173
    const auto d = unpaired_difference(std::vector<double>{0.10, 0.12}, std::vector<double>{0.155});
    EXPECT_THAT(d.standard_error, Optional(DoubleNear(0.01 * std::sqrt(2.0) * std::sqrt(1.5), 1e-12)));
    EXPECT_THAT(d.half_width, Optional(DoubleNear(0.22, 1e-3)));
    EXPECT_GT(*d.p_value, 0.05) << "two standard errors would have called this a difference";
    EXPECT_FALSE(unpaired_difference(std::vector<double>{1}, std::vector<double>{2}).p_value);
    EXPECT_FALSE(unpaired_difference({}, std::vector<double>{2}).mean);
}

TEST(DetectableDifference, IsDetectedFourTimesOutOfFive)
{
    for (const std::size_t n : {2u, 3u, 5u, 10u}) {
        // the true spread is 1: a difference of δ/√n for the noncentrality δ that the function used
        std::vector<double> spread(n, 0.0), zeros(n, 0.0);
        for (std::size_t i = 0; i < n; ++i)
            spread[i] = static_cast<double>(i);
        const auto any     = paired_difference(spread, zeros);
        const double delta = *any.detectable() / *any.standard_error, critical = *any.half_width / *any.standard_error;
        constexpr std::size_t repeats = 20000;
        const auto noise              = normals(repeats * n, 7 + n);
        std::size_t seen              = 0;
        for (std::size_t r = 0; r < repeats; ++r) {
            const auto size = static_cast<double>(n);
            double mean = delta / std::sqrt(size), squares = 0;
            for (std::size_t i = 0; i < n; ++i)
                mean += noise[r * n + i] / size;
            for (std::size_t i = 0; i < n; ++i)
                squares += std::pow(noise[r * n + i] + delta / std::sqrt(size) - mean, 2);
            seen += std::fabs(mean) > critical * std::sqrt(squares / (size - 1) / size);
        }
        EXPECT_NEAR(static_cast<double>(seen) / repeats, 0.8, 0.012) << n << " pairs";   // 4 standard errors
    }
}

TEST(HolmAdjusted, MatchesAHandCalculation)
{
    const std::vector<std::optional<double>> raw{0.01, 0.04, {}, 0.03, 0.6};
    const auto adjusted = holm_adjusted(raw);
    ASSERT_EQ(adjusted.size(), 5u);
    EXPECT_THAT(adjusted[0], Optional(DoubleNear(0.04, 1e-15)));
    EXPECT_THAT(adjusted[3], Optional(DoubleNear(0.09, 1e-15)));
    EXPECT_THAT(adjusted[1], Optional(DoubleNear(0.09, 1e-15))) << "never below that of a smaller one";
    EXPECT_THAT(adjusted[4], Optional(0.6));
    EXPECT_FALSE(adjusted[2]);
    EXPECT_TRUE(holm_adjusted({}).empty());
}

}   // namespace
}   // namespace credence
