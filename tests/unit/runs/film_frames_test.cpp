// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "runs/film_frames.h"
#include "short_run.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using testing::ElementsAre;

/// Snapshots at steps 0, 10, 20, …
std::vector<std::shared_ptr<const Snapshot>> recordedSteps(long count)
{
    std::vector<std::shared_ptr<const Snapshot>> recorded;
    for (long k = 0; k < count; ++k) {
        Snapshot snapshot;
        snapshot.point.step = 10 * k;
        recorded.push_back(std::make_shared<const Snapshot>(std::move(snapshot)));
    }
    return recorded;
}

std::string refusalOf(std::size_t recorded, std::optional<std::size_t> frames)
{
    return sentence_of_error(
        [&] { film_frames(small_study("mean_field"), recordedSteps(static_cast<long>(recorded)), frames); });
}

TEST(FilmFrames, AreEvenlyChosenWithTheFirstAndTheLastStep)
{
    const auto recorded = recordedSteps(21);
    const auto chosen   = [&](std::size_t frames) {
        std::vector<std::size_t> indices;
        for (const auto& frame : film_frames(small_study("mean_field"), recorded, frames))
            indices.push_back(frame.snapshot);
        return indices;
    };
    EXPECT_THAT(chosen(2), ElementsAre(0, 20));
    EXPECT_THAT(chosen(5), ElementsAre(0, 5, 10, 15, 20));
    EXPECT_THAT(chosen(21), testing::SizeIs(21));
    for (std::size_t frames = 2; frames <= 21; ++frames) {
        const auto indices = chosen(frames);
        EXPECT_EQ(indices.front(), 0u);
        EXPECT_EQ(indices.back(), 20u);
        for (std::size_t k = 1; k < frames; ++k)
            EXPECT_LT(indices[k - 1], indices[k]) << frames << " frames";
    }
}

TEST(FilmFrames, AreAllStepsUpToSixtyUnlessTheirNumberIsStated)
{
    EXPECT_EQ(film_frames(small_study("mean_field"), recordedSteps(21)).size(), 21u);
    EXPECT_EQ(film_frames(small_study("mean_field"), recordedSteps(200)).size(), usual_film_frames);
}

TEST(FilmFrames, HaveACaptionWithDataMethodAndStep)
{
    Study study          = small_study("mean_field");
    study.training.steps = 10000;
    const auto recorded  = recordedSteps(201);
    const auto frames    = film_frames(study, recorded, 3);
    EXPECT_EQ(frames[1].caption, "Two moons · mean field · step 1,000 of 10,000");
    EXPECT_EQ(frames[1].share, 0.5);
    EXPECT_EQ(frames[2].share, 1);
    EXPECT_EQ(film_frames(study, recorded, 3, "My talk")[0].caption, "My talk · step 0 of 10,000");
    EXPECT_EQ(film_frames(study, recorded, 3, "")[0].caption, "step 0 of 10,000");
}

TEST(FilmFrames, ARunWithoutTwoRecordedStepsIsRefused)
{
    EXPECT_EQ(refusalOf(0, {}), "small: found 0 recorded steps, expected at least 2 for a film.");
    EXPECT_EQ(refusalOf(1, {}), "small: found 1 recorded step, expected at least 2 for a film.");
}

TEST(FilmFrames, MoreFramesThanRecordedStepsAreRefused)
{
    EXPECT_EQ(refusalOf(21, 100), "A film of small can have 2 to 21 frames, the number of recorded steps; found 100.");
    EXPECT_EQ(refusalOf(21, 1), "A film of small can have 2 to 21 frames, the number of recorded steps; found 1.");
}

}   // namespace
}   // namespace credence
