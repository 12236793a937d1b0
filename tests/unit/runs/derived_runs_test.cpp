// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/derived_runs.h"

#include "foundation/error.h"
#include "runs/laplace_fit.h"
#include "unit/runs/laplace_moons.h"
#include "views/chosen_logits.h"

#include "unit/views/drawn.h"

#include <gmock/gmock.h>

using namespace credence;
using testing::HasSubstr;

TEST(PrunedSnapshot, ByNothingIsTheSnapshotItself)
{
    EXPECT_EQ(pruned(moons(), {.share = 0}).snapshot, moons().snapshot);
    EXPECT_EQ(pruned(moons(), {.share = 0, .by = PruneBy::magnitude, .per_layer = true}).snapshot, moons().snapshot);
    EXPECT_EQ(pruning_of(moons()), nullptr);
    EXPECT_EQ(pruned(RunSnapshot(), {.share = 0.5}).snapshot, nullptr);
}

TEST(PrunedSnapshot, IsMadeOnceForASnapshotAndARule)
{
    const PruneRule rule{.share = 0.5};
    const auto first = pruned(moons(), rule);
    EXPECT_NE(first.snapshot, moons().snapshot);
    EXPECT_EQ(pruned(moons(), rule).snapshot, first.snapshot);
    EXPECT_EQ(pruned(first, rule).snapshot, first.snapshot) << "pruned already";
    EXPECT_NE(pruned(moons(), {.share = 0.25}).snapshot, first.snapshot);
    ASSERT_NE(pruning_of(first), nullptr);
    EXPECT_EQ(*pruning_of(first), rule);
    EXPECT_EQ(first.snapshot->point.step, moons().snapshot->point.step);
    EXPECT_EQ(whole_of(first.snapshot->posterior), moons().snapshot->posterior);
}

TEST(PrunedSnapshot, OfAnInvalidShareIsRejected)
{
    EXPECT_THROW(pruned(moons(), {.share = -0.5}), Error);
    EXPECT_THROW(pruned(moons(), {.share = 95}), Error);
}

TEST(PrunedSnapshot, OfALaplaceApproximationStaysOneWhosePriorAndPrecisionAreKnown)
{
    const auto run = pruned(laplace_moons::ended_moons().snapshot(), {.share = 0.5});
    EXPECT_TRUE(laplace_of(*run.snapshot));
    EXPECT_EQ(laplace_of(*run.snapshot), laplace_of(*laplace_moons::ended_moons().snapshot().snapshot));
}

TEST(PrunedSnapshot, UsesSampledLogitsIfTheRemainingWeightsHaveNoCovariance)
{
    const auto whole = laplace_moons::ended_moons().snapshot();   // Kronecker factors
    const auto left  = pruned(whole, {.share = 0.5});
    ASSERT_EQ(usual_logits_by(whole), LogitsBy::linearisation);
    EXPECT_EQ(usual_logits_by(left), LogitsBy::samples);
    EXPECT_THAT(why_not_linearised(left), HasSubstr("For this curvature the covariance"));
    EXPECT_THAT([&] { left.snapshot->posterior->covariance(); },
                testing::ThrowsMessage<Error>(HasSubstr("covariance of the pruned weights has no closed form")));
    ViewOptions options;
    options.prune = {.share = 0.5};
    EXPECT_THAT(drawn("beta_marginals", whole, options).caption, HasSubstr("Pruned: 50 % of weights removed by |μ|/σ"));
}
