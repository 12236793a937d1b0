// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "foundation/statistics.h"
#include "unit/charts/series_of.h"
#include "views/intervals.h"

#include <gmock/gmock.h>

using namespace credence;

TEST(Intervals, AreTheQuantilesOfEachClass)
{
    std::vector<float> p;
    std::vector<double> first;
    for (int s = 0; s < 21; ++s) {
        const float a = 0.02f * static_cast<float>(s) + 0.3f;
        p.insert(p.end(), {a, 1 - a});
        first.push_back(a);
    }
    const auto value = intervals(SampleView<float>{p, 21, 1, 2}, 0, 0.9, {"a", "b"});
    EXPECT_NEAR(value.lower[0], quantile(first, 0.05), 1e-12);
    EXPECT_NEAR(value.upper[0], quantile(first, 0.95), 1e-12);
    EXPECT_FALSE(value.disjoint);
    EXPECT_FALSE(value.probable);
    EXPECT_EQ(verdict(value),
              "Uncertain by (i): the 90 % interval of a overlaps another class's interval. Uncertain by (ii): its mean "
              "probability 0.5 is below 0.9.");
}

TEST(Intervals, OfManyClassesDrawTheMostProbableOnes)
{
    constexpr int K = 100;
    std::vector<float> p(K, 0.001f);
    p[70]             = 0.901f;
    const auto chart  = to_chart(intervals(SampleView<float>{p, 1, 1, K}, 0, 0.95, {}, 70));
    const auto& panel = chart.panels.at(0);
    const auto bars   = series_of<IntervalBars>(panel).at(0).bars;
    ASSERT_EQ(bars.size(), 30u);
    EXPECT_EQ(bars[0].tone, category(70));
    EXPECT_FALSE(bars[0].wrong);
    EXPECT_NEAR(bars[0].centre, 0.901, 1e-6);
    EXPECT_EQ(panel.x.categories.size(), 30u);
    EXPECT_EQ(panel.x.categories[0], "70 ✓");
    EXPECT_THAT(chart.caption, testing::HasSubstr("Of 100 classes the 30 most probable are drawn."));
}

TEST(Intervals, OfAConfidentPredictionAreCertainByBothCriteria)
{
    const std::vector<float> p{0.03125f, 0.96875f, 0.03125f, 0.96875f};
    const auto value = intervals(SampleView<float>{p, 2, 1, 2}, 0, 0.95, {"a", "b"}, 1);
    EXPECT_EQ(verdict(value),
              "Certain by (i): the 95 % interval of b overlaps no other class's interval. Certain by (ii): its mean "
              "probability 0.9688 reaches 0.95.");
    const auto chart = to_chart(value);
    const auto bars  = series_of<IntervalBars>(chart.panels.at(0)).at(0).bars;
    EXPECT_EQ(bars[0].tone, category(0));
    EXPECT_EQ(bars[1].tone, category(1));
    EXPECT_FALSE(bars[1].wrong);
    EXPECT_EQ(to_chart(intervals(SampleView<float>{p, 2, 1, 2}, 0, 0.95, {"a", "b"}, 0)).panels[0].x.categories[1],
              "b ✗ predicted");
    EXPECT_EQ(bars[1].centre, 0.96875);
    EXPECT_EQ(series_of<Rule>(chart.panels[0]).at(0).at, 0.95);
    EXPECT_EQ(chart.panels[0].title, "certain by (i), certain by (ii)");
}

TEST(Intervals, OfOneSampleStateThis)
{
    const std::vector<float> p{0.25f, 0.75f};
    EXPECT_THAT(to_chart(intervals(SampleView<float>{p, 1, 1, 2}, 0, 0.95, {"a", "b"})).caption,
                testing::HasSubstr("only one sample"));
}

TEST(Intervals, RejectAMissingInput)
{
    const std::vector<float> p{0.25f, 0.75f};
    EXPECT_THAT(
        [&] {
        intervals(SampleView<float>{p, 1, 1, 2}, 1, 0.95, {"a", "b"});
        },
        testing::ThrowsMessage<Error>("Intervals: input 1 was requested, expected 0 to 0."));
}
