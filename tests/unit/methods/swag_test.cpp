// SPDX-License-Identifier: GPL-3.0-or-later
#include "drawn.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

TEST(SwagMethod, ItsSamplesScatterAroundTheMeanOfTheIteratesByTheScale)
{
    const auto still = draws_of(drawn_study("swag", {"posterior.swag_scale=0"}));
    ASSERT_EQ(still->n_draws(), 50u);
    EXPECT_EQ(weights_of(*still, 0), weights_of(*still, 49));
    const auto narrow = draws_of(drawn_study("swag", {"posterior.swag_scale=0.5"}));
    const auto wide   = draws_of(drawn_study("swag"));
    for (std::size_t i = 0; i < still->layout().size(); ++i) {
        const float w = still->draw_number(0)[i];
        EXPECT_NEAR(2 * (narrow->draw_number(3)[i] - w), wide->draw_number(3)[i] - w, 1e-5) << i;
    }
}

TEST(SwagMethod, TheDiagonalAloneIsAnotherGaussian)
{
    const auto diagonal = draws_of(drawn_study("swag", {"posterior.swag_structure=diagonal"}));
    EXPECT_NE(weights_of(*diagonal, 0), weights_of(*draws_of(drawn_study("swag")), 0));
}

TEST(SwagMethod, WithoutTwoIteratesThePointEstimateIsLeft)
{
    std::stop_source stop;
    TrainingEvents events;
    events.recorded = [&](const std::shared_ptr<const Snapshot>& s) {
        if (s->point.step == 5)
            stop.request_stop();
    };
    const auto run = train(*prepare(drawn_study("swag")), stop.get_token(), nullptr, events);
    EXPECT_EQ(run.report.last->posterior->noise_in(), NoiseIn::nothing);
    EXPECT_THAT(run.report.message, testing::HasSubstr("No Gaussian was fitted"));
}

}   // namespace
}   // namespace credence
