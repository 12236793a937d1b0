// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/program.h"

#include <gmock/gmock.h>

#include <fstream>

namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// A sweep of four runs of some milliseconds, in a file.
std::filesystem::path fileOfFourRuns(const std::filesystem::path& folder)
{
    const auto file = folder / "four.json";
    std::ofstream(file) << R"({"base": "two_moons_mean_field",
        "set": {"data.n": 60, "network.hidden": [4], "training.batch_size": 8, "prediction.samples": 5},
        "axes": {"training.steps": [10, 20], "seed": [1, 2]},
        "keep": {"views": ["roc"]}})";
    return file;
}

TEST(SweepCommand, WritesItsFiguresAndTheirNumbers)
{
    const auto folder   = freshFolder("sweep_figures");
    const auto out      = folder / "out";
    const auto sweep    = "sweep " + quoted(fileOfFourRuns(folder)) + " --out " + quoted(out);
    const Answer answer = call(sweep + " --no-figures");
    ASSERT_EQ(answer.status, 0) << answer.error;
    EXPECT_THAT(answer.error, IsEmpty());
    EXPECT_FALSE(std::filesystem::exists(out / "figures"));
    for (const char* figure : {"sweep_scores", "sweep_tau", "sweep_training", "sweep_weights", "sweep_roc"})
        EXPECT_TRUE(std::filesystem::exists(out / "data" / (std::string(figure) + ".csv"))) << figure;
    EXPECT_THAT(contentOf(out / "data" / "sweep_roc_table.csv"), HasSubstr("steps 20"));
    EXPECT_THAT(contentOf(out / "cells.csv"), HasSubstr("loss roughness"));

    const Answer drawn = call(sweep + " --collect");   // runs nothing
    ASSERT_EQ(drawn.status, 0) << drawn.error;
    EXPECT_THAT(contentOf(out / "figures" / "sweep_scores.pdf"), StartsWith("%PDF"));
    EXPECT_THAT(contentOf(out / "figures" / "sweep_training.svg"), HasSubstr("<svg"));
    EXPECT_THAT(contentOf(out / "figures" / "sweep_roc.png"), StartsWith("\x89PNG"));
    EXPECT_FALSE(std::filesystem::exists(out / "figures" / "sweep_doubt.pdf"));   // nobody asked for it
}

}   // namespace
