// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/beta_marginals.h"
#include "figures/list_lengths.h"

#include "foundation/error.h"
#include "series_of.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

using namespace credence;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

const std::vector<std::string> four_animals{"cat", "dog", "owl", "eel"};
const Dirichlet law({2, 40, 35, 0.5});

double area(const BetaMarginals::Class& one)
{
    double sum = 0;
    for (std::size_t i = 1; i < one.x.size(); ++i)
        sum += 0.5 * (one.density[i] + one.density[i - 1]) * (one.x[i] - one.x[i - 1]);
    return sum;
}

}   // namespace

TEST(BetaMarginals, AreTheMostProbableClassesWithTheirQuantiles)
{
    const auto value = beta_marginals(law, four_animals, 0.05);
    ASSERT_EQ(value.classes.size(), 4u);
    EXPECT_EQ(value.classes[0].name, "dog");
    EXPECT_EQ(value.classes[1].name, "owl");
    EXPECT_THAT(value.list, ElementsAre(1, 2));
    EXPECT_EQ(remaining_classes(value), "dog, owl (2 of 4 classes)");
    for (const auto& one : value.classes) {
        EXPECT_DOUBLE_EQ(one.mean, one.alpha / 77.5);
        EXPECT_NEAR(cdf(one.law, one.lower), 0.025, 1e-9) << one.name;
        EXPECT_NEAR(cdf_complement(one.law, one.upper), 0.025, 1e-9) << one.name;
    }
    EXPECT_FALSE(value.classes[0].overlap.has_value());
    EXPECT_NEAR(*value.classes[1].overlap, overlap(law.marginal(1), law.marginal(2)), 1e-15);
}

TEST(BetaMarginals, DensitiesIntegrateToOne)
{
    const auto value = beta_marginals(Dirichlet({20, 400, 350, 5}), four_animals, 0.05);
    for (const auto& one : value.classes)
        EXPECT_NEAR(area(one), 1, 2e-2) << one.name;   // the ends beyond the picture
}

TEST(BetaMarginals, TheListGrowsAsTheThresholdFalls)
{
    const Dirichlet wide({3, 5, 4, 1});
    std::size_t before = 0;
    for (const double T : {0.99, 0.6, 0.2, 0.05, 1e-4}) {
        const auto n = beta_marginals(wide, four_animals, T).list.size();
        EXPECT_GE(n, before) << T;
        before = n;
    }
    EXPECT_EQ(before, 4u);
}

TEST(BetaMarginals, ShowsNoMoreClassesThanAllowed)
{
    const auto value = beta_marginals(Dirichlet(std::vector<double>(30, 0.7)), std::vector<std::string>(30, "x"), 0.05,
                                      5);
    EXPECT_EQ(value.classes.size(), 5u);
    EXPECT_EQ(value.list.size(), 30u);
    EXPECT_THAT(remaining_classes(value), testing::EndsWith(", … (30 of 30 classes)"));
}

TEST(BetaMarginals, ChartDrawsListedClassesSolidAndMarksTheTrueClass)
{
    const auto chart = to_chart(beta_marginals(law, four_animals, 0.05, 6, 0));
    const auto lines = series_of<Line>(chart.panels.at(0));
    ASSERT_EQ(lines.size(), 4u);
    EXPECT_EQ(lines[0].style, LineStyle::solid);
    EXPECT_EQ(lines[1].style, LineStyle::solid);
    EXPECT_EQ(lines[2].style, LineStyle::dashed);
    EXPECT_EQ(lines[2].name, "cat (true) – out");
    EXPECT_THAT(chart.caption, HasSubstr("Remain: dog, owl (2 of 4 classes). True class: cat, which is excluded."));
    EXPECT_EQ(chart.table->rows.size(), 4u);
    const auto bands = series_of<Band>(chart.panels[0]);
    EXPECT_NEAR(bands[0].x.front(), beta_marginals(law, four_animals, 0.05).classes[0].lower, 1e-12)
        << "filled between the quantiles";
    EXPECT_NEAR(bands[0].x.back(), beta_marginals(law, four_animals, 0.05).classes[0].upper, 1e-12);
    for (const auto& line : lines)
        for (std::size_t i = 0; i < line.x.size(); ++i)
            ASSERT_TRUE(std::isfinite(line.x[i]) && std::isfinite(line.y[i])) << line.name;
}

TEST(BetaMarginals, OfExtremeDistributionsStayFinite)
{
    for (const auto& alpha : {std::vector<double>{1e-6, 1e-6}, {1e8, 1}, {1e8, 1e8}, {1e-6, 1e8}, {0.3, 700}}) {
        const auto chart = to_chart(beta_marginals(Dirichlet(alpha), {"a", "b"}, 0.05));
        const auto range = chart.panels.at(0).y.range.value();
        EXPECT_GT(range.second, 0) << alpha[0];
        EXPECT_TRUE(std::isfinite(range.second)) << alpha[0] << " " << alpha[1];
        EXPECT_LT(chart.panels[0].x.range->first, chart.panels[0].x.range->second) << alpha[0];
        for (const auto& line : series_of<Line>(chart.panels[0]))
            for (const double y : line.y)
                ASSERT_TRUE(std::isfinite(y)) << alpha[0] << " " << alpha[1];
    }
}

TEST(BetaMarginals, RejectThresholdsOutsideZeroAndOneAndNamesThatDoNotFit)
{
    for (const double T : std::initializer_list<double>{0.0, 1.0, -1.0, NAN})
        EXPECT_THROW(beta_marginals(law, four_animals, T), Error) << T;
    EXPECT_THAT([] { beta_marginals(law, {"a"}, 0.05); },
                testing::ThrowsMessage<Error>("Beta marginals: 1 names found, expected one for each of 4 classes."));
}

TEST(ListLengths, AreCountedAsShares)
{
    const ListLengths value{{0, 6, 3, 0, 1}, 0.05, 10, 0.8, 0.9, "rows of the test set"};
    EXPECT_EQ(value.total(), 10);
    EXPECT_DOUBLE_EQ(value.mean(), 1.6);
    const auto chart = to_chart(value);
    const auto bars  = series_of<Bars>(chart.panels.at(0)).at(0);
    EXPECT_THAT(bars.position, ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(bars.height, ElementsAre(0.6, 0.3, 0, 0.1));
    EXPECT_EQ(chart.panels[0].title, "Mean length 1.600, top-1 0.800, in the list 0.900");
    EXPECT_EQ(chart.table->rows.size(), 3u) << "lengths that occur";
}

TEST(ListLengths, OfLongListsShareBarsWithoutLoss)
{
    std::vector<long> counts(501, 1);
    counts[0]       = 0;
    const auto bars = series_of<Bars>(to_chart(ListLengths{counts, 0.05, 1000, {}, {}, ""}).panels.at(0)).at(0);
    EXPECT_LE(bars.height.size(), 40u);
    EXPECT_NEAR(std::accumulate(bars.height.begin(), bars.height.end(), 0.0), 1, 1e-12);
}

TEST(ListLengths, OfNothingSaysSo) { EXPECT_EQ(to_chart(ListLengths{}).message, "There are no lists to count."); }
