// SPDX-License-Identifier: GPL-3.0-or-later
#include "drawn.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

TEST(Psgld, ItsSettingsReachTheChain)
{
    const auto plain = draws_of(drawn_study("psgld"));
    for (const char* setting : {"posterior.curvature_term=true", "posterior.rms_decay=0.9", "posterior.rms_floor=0.1"})
        EXPECT_NE(weights_of(*draws_of(drawn_study("psgld", {setting})), 0), weights_of(*plain, 0)) << setting;
}

TEST(Psgld, WithALargeFloorItIsSgldWithASmallerStep)
{
    const auto chain = draws_of(drawn_study("psgld", {"posterior.rms_floor=1000", "training.learning_rate=50"}));
    const auto plain = draws_of(drawn_study("sgld", {"training.learning_rate=0.05"}));
    for (std::size_t i = 0; i < plain->layout().size(); ++i)
        EXPECT_NEAR(chain->draw_number(9)[i], plain->draw_number(9)[i], 0.01) << i;
}

}   // namespace
}   // namespace credence
