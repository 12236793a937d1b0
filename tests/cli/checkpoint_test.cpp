// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/program.h"
#include "runs/archive.h"
#include "runs/run_with_checkpoints.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <random>

// `credence run` continues where it was interrupted.
namespace {

using namespace credence;
using ::testing::HasSubstr;
using ::testing::Not;

/// Scores and everything else without wall times: the times of sampling and bridge are stored next
/// to their numbers, which are those of run.credence.
nlohmann::json resultsOf(const std::filesystem::path& folder)
{
    const auto json = nlohmann::json::parse(contentOf(folder / "results.json"));
    nlohmann::json out;
    for (const char* key : {"stop", "message", "steps", "scores", "layers", "loss_roughness"})
        out[key] = json.at(key);
    return out;
}

TEST(Checkpoints, ALeNetKilledAtThreeRandomMomentsEndsWithTheSameBits)
{
    const auto folder = freshFolder("checkpoints");
    const std::string run =
        "run stroke_digits_lenet_mean_field --set data.training_images=300 --set data.test_images=60 "
        "--set network.units=50 --set training.batch_size=16 --set training.steps=200 --set prediction.samples=5 "
        "--no-figures --out ";
    ASSERT_EQ(call(run + quoted(folder / "undisturbed")).status, 0);

    const auto place = folder / "killed";
    std::mt19937 random(7);
    int killed = 0;
    for (int i = 0; i < 3; ++i) {
        const double later  = std::uniform_real_distribution<>(0, 0.1)(random);
        const Answer answer = callAndKill(run + quoted(place) + " --checkpoint-every 0.02",
                                          place / "run.credence-progress", later);
        killed += answer.status == 1000 + 9 ? 1 : 0;
        if (i > 0 && killed == i + 1) {
            EXPECT_THAT(answer.error, HasSubstr("Resuming at step "));
        }
    }
    EXPECT_EQ(killed, 3);
    const Answer last = call(run + quoted(place));
    ASSERT_EQ(last.status, 0) << last.error;
    EXPECT_THAT(last.error, HasSubstr(" of 200 (interrupted run found)."));
    EXPECT_TRUE(contentOf(place / "run.credence") == contentOf(folder / "undisturbed" / "run.credence"));
    EXPECT_EQ(resultsOf(place), resultsOf(folder / "undisturbed"));
    for (const auto& entry : std::filesystem::directory_iterator(place))
        EXPECT_THAT(entry.path().filename().string(), Not(HasSubstr("progress"))) << "it is no longer useful";
}

TEST(Checkpoints, ACancelledRunContinuesAndFreshStartsAgain)
{
    const auto folder       = freshFolder("cancelled");
    const std::string run   = "run xor --set training.steps=";
    const std::string into  = " --no-figures --set prediction.samples=5 --out " + quoted(folder);
    const std::string often = " --checkpoint-every 0.05";
    const Answer cancelled  = callAndInterruptAt(run + "1000000000" + into + often, folder / "run.credence-progress");
    ASSERT_EQ(cancelled.status, 130) << cancelled.error;
    EXPECT_THAT(cancelled.out, HasSubstr("Run the same command again to continue"));
    const auto left = interrupted_run(folder);
    ASSERT_TRUE(left);
    EXPECT_EQ(left->step, load_run(folder / "run.credence").report.steps);

    const Answer on = callAndInterruptAt(run + "1000000000" + into + often, folder / "run.credence-progress");
    EXPECT_THAT(on.error, HasSubstr("Resuming at step "));
    EXPECT_GT(load_run(folder / "run.credence").report.steps, left->step);

    const Answer other = call(run + "50" + into);
    EXPECT_EQ(other.status, 0);
    EXPECT_THAT(other.error, HasSubstr("contains an interrupted run of another Study"));
    EXPECT_FALSE(interrupted_run(folder));
    EXPECT_EQ(call(run + "50 --fresh" + into).error, "");
}

}   // namespace
