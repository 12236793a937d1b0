// SPDX-License-Identifier: GPL-3.0-or-later
#include "drawn.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

TEST(Sghmc, AtTemperatureZeroItIsMomentumWithTheDecayOfItsPriorBitForBit)
{
    const auto chain  = draws_of(drawn_study("sghmc", {"posterior.temperature=0", "posterior.friction=0.25",
                                                       "training.learning_rate=0.05", "training.steps=50"}));
    Study point       = drawn_study("point_estimate", {"training.optimizer=momentum", "training.momentum=0.75",
                                                       "training.learning_rate=0.05", "training.steps=50"});
    point.training.l2 = 1.0 / 48;
    const auto end    = train(*prepare(point)).report.last->posterior;
    EXPECT_EQ(weights_of(*chain, chain->n_draws() - 1), std::vector<float>(end->means().begin(), end->means().end()));
}

TEST(Sghmc, RejectsAnEstimateThatIsNotBelowItsFriction)
{
    EXPECT_EQ(refusal_of(drawn_study("sghmc", {"posterior.gradient_noise=0.1"})),
              "posterior.gradient_noise is 0.1, expected less than posterior.friction, which is 0.1.");
    EXPECT_EQ(refusal_of(drawn_study("sghmc", {"posterior.gradient_noise=0.05"})), "");
}

}   // namespace
}   // namespace credence
