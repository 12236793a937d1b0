// SPDX-License-Identifier: GPL-3.0-or-later
#include "drawn.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

TEST(CyclicalSgld, KeepsDrawsInTheLastPartOfEachCycle)
{
    const auto set = draws_of(drawn_study("cyclical_sgld", {"training.steps=100", "posterior.cycles=5",
                                                            "posterior.noisy_share=0.3", "posterior.kept_draws=15"}));
    EXPECT_EQ(set->origin().steps, (std::vector<long>{16, 18, 20, 36, 38, 40, 56, 58, 60, 76, 78, 80, 96, 98, 100}));
}

TEST(CyclicalSgld, ItsRateFallsInEachCycle)
{
    std::vector<double> rates;
    const auto run = train(*prepare(drawn_study("cyclical_sgld", {"training.steps=20", "posterior.cycles=2"})));
    for (const auto& point : run.history)
        rates.push_back(point.learning_rate);
    ASSERT_EQ(rates.size(), 21u);   // of the step before each of them
    for (std::size_t i = 2; i <= 20; ++i)
        EXPECT_EQ(rates[i] < rates[i - 1], i != 11) << i;
    EXPECT_EQ(rates[11], rates[1]);
}

TEST(CyclicalSgld, RejectsASamplingPartWithoutASingleStep)
{
    EXPECT_EQ(refusal_of(drawn_study("cyclical_sgld", {"posterior.cycles=20", "posterior.noisy_share=0.01"})),
              "posterior.noisy_share of 20 steps gives less than one step per cycle; expected a larger share.");
}

}   // namespace
}   // namespace credence
