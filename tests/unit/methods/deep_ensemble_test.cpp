// SPDX-License-Identifier: GPL-3.0-or-later
#include "drawn.h"
#include "methods/chain_settings.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

TEST(DeepEnsemble, ItsMembersArePointEstimatesOfTheirSeeds)
{
    const auto set = draws_of(drawn_study("deep_ensemble", {"posterior.members=3"}));
    ASSERT_EQ(set->n_draws(), 3u);
    EXPECT_EQ(set->origin(), (SampleOrigin{{0, 1, 2}, {20, 20, 20}}));
    for (int k = 0; k < 3; ++k) {
        Study point    = drawn_study("point_estimate");
        point.seed     = method_parts::seed_of_chain(point.seed, k);
        const auto end = train(*prepare(point)).report.last->posterior;
        EXPECT_EQ(weights_of(*set, static_cast<std::size_t>(k)),
                  std::vector<float>(end->means().begin(), end->means().end()))
            << k;
    }
}

TEST(DeepEnsemble, PatienceEndsEachMemberAtItsOwnStep)
{
    const auto run = train(*prepare(
        drawn_study("deep_ensemble", {"posterior.members=2", "training.steps=100000", "training.patience=20"})));
    EXPECT_EQ(run.report.stop, StopReason::no_progress);
    EXPECT_LT(run.report.steps, 200000);
    const auto set = draws_of(run);
    ASSERT_EQ(set->n_draws(), 2u);
    EXPECT_EQ(set->origin().steps[0] + set->origin().steps[1], run.report.steps);
}

}   // namespace
}   // namespace credence
