// SPDX-License-Identifier: GPL-3.0-or-later
#include "drawn.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

TEST(SgFuncRld, DrawsTheSameNumberFromEachState)
{
    const auto set = draws_of(
        drawn_study("sgfuncrld", {"posterior.states=2", "posterior.draws_of_state=3", "posterior.chains=2"}));
    EXPECT_EQ(set->origin(),
              (SampleOrigin{{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}, {15, 15, 15, 20, 20, 20, 15, 15, 15, 20, 20, 20}}));
}

TEST(SgFuncRld, ItsNoiseFollowsTheSetting)
{
    const auto with = [](const char* noise) {
        return weights_of(*draws_of(drawn_study("sgfuncrld", {std::string("posterior.functional_noise=") + noise})), 0);
    };
    EXPECT_NE(with("as_printed"), with("matched_half"));
    EXPECT_NE(with("as_printed"), with("matched_full"));
}

TEST(SgFuncRld, AcceptsAMixturePriorWithTheSampledKl)
{
    EXPECT_EQ(refusal_of(drawn_study("sgfuncrld", {"prior.kind=scale_mixture", "training.complexity=sampled"})), "");
    EXPECT_EQ(refusal_of(drawn_study("sgld", {"prior.kind=scale_mixture"})), "");
}

}   // namespace
}   // namespace credence
