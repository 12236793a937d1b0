// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/views.h"

#include "unit/views/drawn.h"

#include <gmock/gmock.h>

using namespace credence;
using testing::HasSubstr;

namespace {}   // namespace

TEST(OneWeightView, NamesTheBlockAndRejectsAMissingWeight)
{
    auto options   = ViewOptions();
    options.weight = 17;   // 2 × 8 weights come first
    EXPECT_THAT(drawn("one_weight", moons(), options).panels.at(0).title, HasSubstr("biases"));
    options.weight = 42;
    EXPECT_THAT([&] { drawn("one_weight", moons(), options); },
                testing::ThrowsMessage<Error>("Weight 42 was asked for, this network has weights 0 to 41."));
}
