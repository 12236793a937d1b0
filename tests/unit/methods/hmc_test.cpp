// SPDX-License-Identifier: GPL-3.0-or-later
#include "drawn.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

TEST(Hmc, MakesTheGivenNumberOfStepsPerDraw)
{
    const auto set = draws_of(drawn_study("hmc", {"posterior.chains=2", "posterior.warmup=40", "posterior.draws=20",
                                                  "posterior.leapfrog_steps=7", "network.hidden=4"}));
    ASSERT_NE(set, nullptr);
    EXPECT_EQ(set->n_draws(), 40u);
    ASSERT_NE(set->origin().statistics, nullptr);
    for (const auto& draw : set->origin().statistics->draws) {
        if (!draw.divergent) {
            EXPECT_EQ(draw.leapfrog_steps, 7);
        }
    }
}

}   // namespace
}   // namespace credence
