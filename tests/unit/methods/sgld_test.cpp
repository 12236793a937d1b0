// SPDX-License-Identifier: GPL-3.0-or-later
#include "drawn.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

/// Under N(0, 1) the prior's gradient relative to the mean loss is that of weight decay 1/N.
TEST(Sgld, AtTemperatureZeroItIsSgdWithTheDecayOfItsPriorBitForBit)
{
    const auto chain  = draws_of(drawn_study("sgld", {"posterior.temperature=0", "training.learning_rate=0.1",
                                                      "training.bias_rate=2", "training.steps=50"}));
    Study exact       = drawn_study("point_estimate", {"training.optimizer=sgd", "training.learning_rate=0.1",
                                                       "training.bias_rate=2", "training.steps=50"});
    exact.training.l2 = 1.0 / 48;
    const auto end    = train(*prepare(exact)).report.last->posterior;
    EXPECT_EQ(prepare(exact)->data->training.n_rows, 48u);
    EXPECT_EQ(weights_of(*chain, chain->n_draws() - 1), std::vector<float>(end->means().begin(), end->means().end()));
}

TEST(Sgld, ColdChainsAreNarrower)
{
    const auto spread = [](const char* temperature) {
        const auto set = draws_of(drawn_study("sgld", {temperature, "training.steps=2000"}));
        double sum     = 0;
        for (const auto& layer : set->describe())
            sum += layer.median_sd;
        return sum;
    };
    EXPECT_LT(spread("posterior.temperature=0.1"), 0.7 * spread("posterior.temperature=1"));
}

}   // namespace
}   // namespace credence
