// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/saved_run.h"

#include "session/saved_runs.h"
#include "session/settings.h"

#include "study/presets.h"

#include <QDir>
#include <gmock/gmock.h>

using namespace credence;
using testing::DoubleNear;
using testing::Optional;

namespace {

/// The list of a program with finished runs of these wall times.
class TimesOfRuns : public testing::Test {
protected:
    TimesOfRuns() { QDir(runsFolder()).removeRecursively(); }

    void add(const Study& study, double seconds, StopReason stop = StopReason::steps_done)
    {
        SavedRun run{.name = study.name, .started = {}, .study = study, .report = {}, .history = {}, .snapshots = {}};
        run.report.stop    = stop;
        run.report.seconds = seconds;
        run.report.steps   = study.training.steps;
        runs.add(nullptr, run);
    }

    Study study = [] {
        Study made          = default_study();
        made.training.steps = 1000;
        return made;
    }();
    SavedRuns runs;
};

}   // namespace

TEST_F(TimesOfRuns, WithoutARunTheTimeIsUnknown) { EXPECT_EQ(expectedTime(study, runs), std::nullopt); }

TEST_F(TimesOfRuns, TheMedianTimePerStepCounts)
{
    add(study, 2);
    add(study, 90);   // on a busy machine
    add(study, 4);
    EXPECT_THAT(expectedTime(study, runs), Optional(DoubleNear(4, 1e-9)));
    Study longer = study;
    longer.training.steps *= 3;
    EXPECT_THAT(expectedTime(longer, runs), Optional(DoubleNear(12, 1e-9)));
    longer.training.max_seconds = 5;
    EXPECT_THAT(expectedTime(longer, runs), Optional(DoubleNear(5, 1e-9)));
}

TEST_F(TimesOfRuns, AnotherSeedAndLearningRateKeepTheTimeAnotherNetworkOrMethodDoesNot)
{
    add(study, 2);
    Study other                           = study;
    other.seed                            = 99;
    other.training.schedule.learning_rate = 0.5;
    EXPECT_NE(expectedTime(other, runs), std::nullopt);
    Study wider          = study;
    wider.network.hidden = {200};
    EXPECT_EQ(expectedTime(wider, runs), std::nullopt);
    Study method            = study;
    method.posterior.family = "point_estimate";
    EXPECT_EQ(expectedTime(method, runs), std::nullopt);
    Study batch               = study;
    batch.training.batch_size = 7;
    EXPECT_EQ(expectedTime(batch, runs), std::nullopt);
}

TEST_F(TimesOfRuns, StoppedRunsAreNotUsed)
{
    add(study, 2, StopReason::cancelled);
    EXPECT_EQ(expectedTime(study, runs), std::nullopt);
}

TEST(ExpectedTimeText, HasOneUnit)
{
    EXPECT_EQ(expectedTimeText(0.3), "< 1 s");
    EXPECT_EQ(expectedTimeText(4.2), "≈ 4 s");
    EXPECT_EQ(expectedTimeText(89), "≈ 89 s");
    EXPECT_EQ(expectedTimeText(12 * 60), "≈ 12 min");
    EXPECT_EQ(expectedTimeText(4.5 * 3600), "≈ 4.5 h");
}
