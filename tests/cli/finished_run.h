// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/program.h"

#include <gmock/gmock.h>

/// A short run.
inline std::filesystem::path makeRun(const std::string& options)
{
    auto made           = freshFolder("finished") / "run";
    const Answer answer = call("run xor --set training.steps=200 --set prediction.samples=20 --seed 7 " + options
                               + " --out '" + made.string() + "'");
    EXPECT_EQ(answer.status, 0) << answer.error;
    EXPECT_THAT(answer.error, testing::IsEmpty()) << "quiet without a terminal";
    EXPECT_THAT(answer.out, testing::HasSubstr("XOR: 160 training and 40 test rows, seed 7\n"));
    EXPECT_THAT(answer.out, testing::HasSubstr("200 steps in "));
    EXPECT_THAT(answer.out, testing::HasSubstr("Accuracy"));
    return made;
}

/// A run without figures, made once for all tests that use one.
inline const std::filesystem::path& finishedRun()
{
    static const auto folder = makeRun("--no-figures");
    return folder;
}
