// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/probe_places.h"

#include "short_run.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace credence {
namespace {

TEST(ProbePlaces, OfAPlaneReachBeyondTheDataOnEverySide)
{
    const auto experiment = prepare(small_study("mean_field"));
    const auto places     = few_probe_places(*experiment);
    ASSERT_EQ(places.n, 25u);
    ASSERT_EQ(places.inputs.size(), 50u);
    const auto& seen = experiment->data->training_inputs;
    for (std::size_t j = 0; j < 2; ++j) {
        float low = 1e9f, high = -1e9f, low_seen = 1e9f, high_seen = -1e9f;
        for (std::size_t i = j; i < places.inputs.size(); i += 2) {
            low  = std::min(low, places.inputs[i]);
            high = std::max(high, places.inputs[i]);
        }
        for (std::size_t i = j; i < seen.size(); i += 2) {
            low_seen  = std::min(low_seen, seen[i]);
            high_seen = std::max(high_seen, seen[i]);
        }
        EXPECT_LT(low, low_seen) << j;
        EXPECT_GT(high, high_seen) << j;
    }
}

TEST(ProbePlaces, OfOneInputAreEvenAlongX)
{
    const auto experiment = prepare(small_study("mean_field", ToyKind::sine_gap));
    const auto places     = few_probe_places(*experiment, 9);
    ASSERT_EQ(places.n, 9u);
    for (std::size_t i = 2; i < places.n; ++i)
        EXPECT_NEAR(places.inputs[i] - places.inputs[i - 1], places.inputs[1] - places.inputs[0], 1e-4) << i;
}

}   // namespace
}   // namespace credence
