// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/run_plan.h"

#include <gmock/gmock.h>

using namespace credence;

namespace {

/// Two chains, each with 10 steps before its start.
RunPlan two_chains()
{
    return {.chains = 2, .own_start = 10, .steps = 2000, .quiet = {{0, 1000}}, .kept = {1500, 2000}, .draws = 3};
}

RunPlan abreast()
{
    return {.chains      = 4,
            .abreast     = true,
            .steps       = 6,
            .quiet       = {{0, 3}},
            .kept        = {4, 5, 6},
            .one_step    = "transition",
            .quiet_words = "warm-up"};
}

}   // namespace

TEST(RunPlan, CountsDrawsWhereStepsAreThoseOfAllChains)
{
    EXPECT_EQ(draws_kept(two_chains(), 0), 0);
    EXPECT_EQ(draws_kept(two_chains(), 3019), 0);   // one of the two has not arrived yet
    EXPECT_EQ(draws_kept(two_chains(), 3020), 6);
    EXPECT_EQ(draws_kept(two_chains(), 4020), 12);
}

TEST(RunPlan, CountsDrawsWhereAStepIsOneOfEveryChain)
{
    EXPECT_EQ(draws_kept(abreast(), 3), 0);
    EXPECT_EQ(draws_kept(abreast(), 4), 4);
    EXPECT_EQ(draws_kept(abreast(), 6), 12);
}

TEST(RunPlan, ReportsTheProgressOfARun)
{
    EXPECT_EQ(progress_words(abreast(), 2), "transition 2 of 6, 4 chains, warm-up");
    EXPECT_EQ(progress_words(abreast(), 3), "transition 3 of 6, 4 chains, draws kept 0 of 12");
    EXPECT_EQ(progress_words(abreast(), 5), "transition 5 of 6, 4 chains, draws kept 8 of 12");
    EXPECT_EQ(progress_words(two_chains(), 8), "step 4 of 10 to its start, 2 chains");
    EXPECT_EQ(progress_words(two_chains(), 1020), "step 500 of 2,000, 2 chains, burn-in");
    EXPECT_EQ(progress_words(two_chains(), 3030), "step 1,505 of 2,000, 2 chains, draws kept 6 of 12");
    EXPECT_EQ(progress_words(two_chains(), 4020), "step 2,000 of 2,000, 2 chains, draws kept 12 of 12");
    EXPECT_EQ(progress_words({.chains = 2, .shared_start = 10, .steps = 20, .kept = {20}}, 4),
              "step 4 of 10 to the start of all chains");
    EXPECT_EQ(progress_words({.chains = 2, .shared_start = 10, .steps = 20, .quiet = {{0, 10}}, .kept = {20}}, 14),
              "step 2 of 20, 2 chains, burn-in");
    EXPECT_EQ(progress_words({.steps = 20, .kept = {10, 20}, .kept_words = "iterates averaged"}, 12),
              "step 12 of 20, iterates averaged 1 of 2");
}
