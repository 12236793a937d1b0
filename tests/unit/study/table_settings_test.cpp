// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/table_settings.h"

#include "study/presets.h"

#include <gmock/gmock.h>

using namespace credence;

TEST(TableSettings, GrowInStepsWithTheTableBetweenTwoBounds)
{
    const auto steps = [](std::size_t rows) { return with_table_settings(Study{}, rows).training.steps; };
    EXPECT_EQ(steps(20), 3000);
    EXPECT_EQ(steps(8124), 5000);   // 82 minibatches an epoch, 60 epochs
    EXPECT_EQ(steps(1'000'000), 30000);
}

TEST(TableSettings, LeavePosteriorPriorSplitAndSeed)
{
    for (const auto& preset : presets()) {
        const Study suited = with_table_settings(preset.study, 1000);
        Study restored     = suited;
        restored.network   = preset.study.network;
        restored.training  = preset.study.training;
        EXPECT_TRUE(restored == preset.study) << preset.id;
        EXPECT_NO_THROW(check(suited)) << preset.id;
    }
}
