// SPDX-License-Identifier: GPL-3.0-or-later
#include "unit/sweeps/scores_by_hand.h"

#include <cmath>

namespace credence {
namespace {

using ::testing::DoubleNear;
using ::testing::Optional;

TEST(PairedDifference, IsThatOfTheTLawByHand)
{
    // d = 1, 2, 3: mean 2, s = 1, e = 1/√3, t = 2√3; two degrees of freedom have F(t) = 1/2 + t / (2 √(2 + t²)), whose 0.975 quantile is 4.30265.
    const std::vector<double> a{2, 4, 6}, b{1, 2, 3};
    const auto d   = paired_difference(a, b);
    const double t = 2 * std::sqrt(3.0), e = 1 / std::sqrt(3.0);
    EXPECT_EQ(d.n, 3u);
    EXPECT_THAT(d.mean, Optional(DoubleNear(2, 1e-12)));
    EXPECT_THAT(d.standard_error, Optional(DoubleNear(e, 1e-12)));
    EXPECT_THAT(d.probability_less, Optional(DoubleNear(0.5 - t / (2 * std::sqrt(2 + t * t)), 1e-10)));
    EXPECT_THAT(d.smallest_shown, Optional(DoubleNear(4.302652729749462 * e, 1e-8)));
}

TEST(PairedDifference, OfTwoSeedsIsThatOfTheCauchyLaw)
{
    // d = 0, 2: mean 1, s = √2, e = 1; one degree of freedom has F(t) = 1/2 + arctan(t)/π.
    const auto d = paired_difference(std::vector<double>{1, 3}, std::vector<double>{1, 1});
    EXPECT_THAT(d.probability_less, Optional(DoubleNear(0.25, 1e-10)));
    EXPECT_THAT(d.smallest_shown, Optional(DoubleNear(12.706204736174694, 1e-6)));
}

TEST(PairedDifference, ChangesSidesWithItsArguments)
{
    const std::vector<double> a{0.3, 0.1, 0.4, 0.2}, b{0.2, 0.25, 0.1, 0.15};
    const auto there = paired_difference(a, b), back = paired_difference(b, a);
    EXPECT_NEAR(*there.mean, -*back.mean, 1e-15);
    EXPECT_NEAR(*there.probability_less + *back.probability_less, 1, 1e-12);
    EXPECT_NEAR(*there.smallest_shown, *back.smallest_shown, 1e-12);
}

TEST(PairedDifference, SaysNothingOfOneSeedAndOfDifferencesThatDoNotDiffer)
{
    const auto one = paired_difference(std::vector<double>{1}, std::vector<double>{3});
    EXPECT_EQ(one.n, 1u);
    EXPECT_EQ(one.mean, -2);
    EXPECT_FALSE(one.standard_error || one.probability_less || one.smallest_shown);
    const auto same = paired_difference(std::vector<double>{1.1, 2.1}, std::vector<double>{1, 2});
    EXPECT_TRUE(same.mean && same.standard_error);
    EXPECT_FALSE(same.probability_less || same.smallest_shown);
    EXPECT_EQ(paired_difference({}, {}).n, 0u);
    EXPECT_FALSE(paired_difference({}, {}).mean);
}

TEST(SweepStatistics, KnowOfWhichScoreLessIsBetter)
{
    EXPECT_EQ(less_is_better("NLL"), true);
    EXPECT_EQ(less_is_better("Expected calibration error, 15 bins"), true);
    EXPECT_EQ(less_is_better("AUROC of confidence, right against wrong"), false);
    EXPECT_EQ(less_is_better("Mean predictive entropy"), std::nullopt);
}

TEST(SweepStatistics, CompareTheValuesOfEachAxisPairedBySeed)
{
    // Each seed is a level of its own, which the pairing takes away; the second rate is worse by 0.01, 0.02, 0.03.
    const auto results      = scores_by_hand([](int rate, int width, int seed) {
        return 0.1 * seed + 0.05 * width * (seed + 1) + rate * 0.01 * (seed + 1);
    });
    const auto combinations = combinations_of(results);
    ASSERT_EQ(combinations.size(), 4u);
    EXPECT_EQ(combinations[1].words, "0.01, 8");
    const auto summary = over_seeds(results, combinations[0], {false, "NLL", ""});
    EXPECT_EQ(summary.n, 3u);
    EXPECT_THAT(summary.mean, Optional(DoubleNear(0.1, 1e-12)));
    EXPECT_THAT(summary.sd, Optional(DoubleNear(0.1, 1e-12)));

    const auto all = comparisons_of(results);
    // 2 axes × 2 values of the other + 2 pairs that differ in both, each under test NLL, test accuracy and validation NLL.
    ASSERT_EQ(all.size(), 6u * 3);
    const auto& first = all.front();
    EXPECT_EQ(first.axis, "training.learning_rate");
    EXPECT_EQ(first.a, "0.01");
    EXPECT_EQ(first.b, "0.1");
    EXPECT_EQ(first.others, "4");
    EXPECT_EQ(first.score.name, "NLL");
    EXPECT_THAT(first.difference.mean, Optional(DoubleNear(-0.02, 1e-12)));
    const double t = 2 * std::sqrt(3.0), p = 0.5 + t / (2 * std::sqrt(2 + t * t));
    EXPECT_THAT(first.a_better, Optional(DoubleNear(p, 1e-6)));
    EXPECT_EQ(all[1].score.name, "Accuracy");   // more is better: the same side wins
    EXPECT_THAT(all[1].a_better, Optional(DoubleNear(p, 1e-6)));
    EXPECT_TRUE(all.back().axis.empty());
    EXPECT_EQ(all.back().others, "");
}

TEST(SweepStatistics, PairOnlySeedsThatBothSidesHave)
{
    const auto results = scores_by_hand([](int rate, int, int seed) -> std::optional<double> {
        if (rate == 0 && seed == 1)
            return {};
        return 0.1 * seed + rate;
    });
    for (const auto& one : comparisons_of(results))
        if (one.axis == "training.learning_rate") {
            EXPECT_EQ(one.difference.n, 2u);
            EXPECT_NEAR(std::fabs(*one.difference.mean), one.score.validation ? 10 : 1, 1e-12);
        }
}

TEST(SweepStatistics, ChooseOnValidationAndOnlyWhereAllIsThere)
{
    auto results = scores_by_hand(
        [](int rate, int width, int seed) { return (rate == width ? 0.2 : 0.3) + 0.01 * seed; });
    const auto choices = choices_of(results);
    ASSERT_EQ(choices.size(), 2u);
    ASSERT_TRUE(choices[0].chosen && choices[1].chosen);
    EXPECT_EQ(choices[0].chosen->at[0], 0u);   // width 4: the first rate; width 8: the second
    EXPECT_EQ(choices[1].chosen->at[0], 1u);
    const auto table = chosen_table(results).value();
    ASSERT_EQ(table.rows.size(), 2u);
    EXPECT_EQ(table.rows[1][0], Cell(std::string("8")));
    EXPECT_EQ(table.rows[1][1], Cell(std::string("0.1")));
    EXPECT_EQ(table.rows[1][2], Cell(3L));

    results.scores[0].reset();
    EXPECT_FALSE(choices_of(results)[0].chosen);
    EXPECT_TRUE(choices_of(results)[1].chosen);
    EXPECT_EQ(chosen_table(results)->rows[0].size(), table.columns.size());
}

}   // namespace
}   // namespace credence
