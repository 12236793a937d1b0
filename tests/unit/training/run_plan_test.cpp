// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/run_plan.h"

#include <gmock/gmock.h>

using namespace credence;

namespace {

/// Two chains one after the other, each behind 10 steps to its start.
RunPlan in_turn()
{
    return {.chains = 2, .approach = 10, .steps = 2000, .quiet = {{0, 1000}}, .kept = {1500, 2000}, .draws = 3};
}

RunPlan abreast()
{
    return {.chains       = 4,
            .side_by_side = true,
            .steps        = 6,
            .quiet        = {{0, 3}},
            .kept         = {4, 5, 6},
            .one_step     = "transition",
            .quiet_words  = "warm-up"};
}

}   // namespace

TEST(RunPlan, CountsDrawsOfChainsThatFollowOneAnother)
{
    EXPECT_EQ(draws_kept(in_turn(), 0), 0);
    EXPECT_EQ(draws_kept(in_turn(), 1509), 0);
    EXPECT_EQ(draws_kept(in_turn(), 1510), 3);
    EXPECT_EQ(draws_kept(in_turn(), 2010), 6);   // the end of the first chain
    EXPECT_EQ(draws_kept(in_turn(), 2015), 6);
    EXPECT_EQ(draws_kept(in_turn(), 4020), 12);
}

TEST(RunPlan, CountsDrawsOfChainsThatRunSideBySide)
{
    EXPECT_EQ(draws_kept(abreast(), 3), 0);
    EXPECT_EQ(draws_kept(abreast(), 4), 4);
    EXPECT_EQ(draws_kept(abreast(), 6), 12);
}

TEST(RunPlan, SaysHowFarARunIs)
{
    EXPECT_EQ(progress_words(abreast(), 2), "transition 2 of 6, 4 chains, warm-up");
    EXPECT_EQ(progress_words(abreast(), 3), "transition 3 of 6, 4 chains, draws kept 0 of 12");
    EXPECT_EQ(progress_words(abreast(), 5), "transition 5 of 6, 4 chains, draws kept 8 of 12");
    EXPECT_EQ(progress_words(in_turn(), 4), "chain 1 of 2, step 4 of 10 to its start");
    EXPECT_EQ(progress_words(in_turn(), 510), "chain 1 of 2, step 500 of 2,000, burn-in");
    EXPECT_EQ(progress_words(in_turn(), 2015), "chain 2 of 2, step 5 of 10 to its start, draws kept 6 of 12");
    EXPECT_EQ(progress_words(in_turn(), 4020), "chain 2 of 2, step 2,000 of 2,000, draws kept 12 of 12");
    EXPECT_EQ(progress_words({.steps = 20, .kept = {10, 20}, .kept_words = "iterates averaged"}, 12),
              "step 12 of 20, iterates averaged 1 of 2");
}
