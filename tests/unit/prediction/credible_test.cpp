// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/credible.h"

#include "foundation/error.h"
#include "foundation/statistics.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;
using testing::ElementsAre;

TEST(CredibleIntervals, AreTheType7QuantilesOfEachClass)
{
    const int S = 41, K = 3, N = 2;
    std::vector<double> p(S * N * K);
    for (std::size_t i = 0; i < p.size(); ++i)
        p[i] = std::fmod(0.7548776662466927 * static_cast<double>(i), 1.0);
    const auto out = credible_intervals(SampleView<double>{p, S, N, K}, 0.9);
    for (int i = 0; i < N; ++i)
        for (int k = 0; k < K; ++k) {
            std::vector<double> draws;
            for (int s = 0; s < S; ++s)
                draws.push_back(p[(s * N + i) * K + k]);
            EXPECT_NEAR(out.lower_of(i, k), quantile(draws, 0.05), 1e-12) << "input " << i << ", class " << k;
            EXPECT_NEAR(out.upper_of(i, k), quantile(draws, 0.95), 1e-12) << "input " << i << ", class " << k;
        }
}

TEST(CredibleIntervals, GrowWithTheLevel)
{
    std::vector<double> p;
    for (int s = 0; s < 50; ++s)
        p.push_back(std::fmod(0.618 * s, 1.0));
    const SampleView<double> samples{p, 50, 1, 1};
    double width = 0;
    for (const double level : {0.5, 0.9, 0.95, 0.99, 0.99999}) {
        const auto interval = credible_intervals(samples, level);
        EXPECT_GT(interval.upper[0] - interval.lower[0], width) << "level " << level;
        width = interval.upper[0] - interval.lower[0];
    }
}

TEST(CredibleIntervals, OfOneSampleAreThatSample)
{
    const std::vector<double> p{0.3, 0.7};
    const auto out = credible_intervals(SampleView<double>{p, 1, 1, 2}, 0.95);
    EXPECT_THAT(out.lower, ElementsAre(0.3, 0.7));
    EXPECT_THAT(out.upper, ElementsAre(0.3, 0.7));
}

TEST(CredibleIntervals, RejectALevelOutsideZeroAndOne)
{
    const std::vector<double> p{0.3, 0.7};
    EXPECT_THAT(
        [&] {
        credible_intervals(SampleView<double>{p, 1, 1, 2}, 1);
        },
        testing::ThrowsMessage<Error>("Credible interval: the level is 1, expected a number between 0 and 1."));
}

TEST(Certainty, TouchingIntervalsAreNotDisjoint)
{
    EXPECT_TRUE(is_disjoint(1, std::vector<double>{0.1, 0.6}, std::vector<double>{0.5, 0.9}));
    EXPECT_FALSE(is_disjoint(1, std::vector<double>{0.1, 0.5}, std::vector<double>{0.5, 0.9}));
}

TEST(Certainty, OverlapOfOtherClassesDoesNotMatter)
{
    EXPECT_TRUE(is_disjoint(2, std::vector<double>{0.1, 0.15, 0.6}, std::vector<double>{0.2, 0.3, 0.9}));
}

TEST(Certainty, ASecondIntervalAroundThePredictedOneIsAnOverlap)
{
    EXPECT_FALSE(is_disjoint(0, std::vector<double>{0.4, 0.0}, std::vector<double>{0.6, 1.0}));
    EXPECT_FALSE(is_disjoint(0, std::vector<double>{0.0, 0.4}, std::vector<double>{1.0, 0.6}));
}

TEST(Certainty, CriterionTwoIncludesTheLevelItself)
{
    const std::vector<double> p{0.95, 0.05, 0.94, 0.06};
    const SampleView<double> samples{p, 1, 2, 2};
    EXPECT_THAT(certainty(class_predictions(samples), credible_intervals(samples, 0.95)).probable, ElementsAre(1, 0));
}

TEST(Certainty, CriterionTwoAcceptsALevelRoundedToAFloat)
{
    EXPECT_TRUE(reaches(static_cast<double>(0.95f), 0.95));   // 0.949999988
    EXPECT_TRUE(reaches(static_cast<double>(0.7f), 0.7));
    EXPECT_FALSE(reaches(0.9499, 0.95));
    EXPECT_FALSE(reaches(0.9499998, 0.95));
}

TEST(Certainty, TheFourCountsAddUp)
{
    const std::vector<char> certain{1, 1, 0, 0, 0}, correct{1, 0, 1, 0, 1};
    EXPECT_EQ(certainty_counts(certain, correct), (CertaintyCounts{1, 1, 2, 1}));
}
