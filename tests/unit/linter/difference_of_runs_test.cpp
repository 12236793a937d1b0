// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

/// A run with this name, seed, learning rate and test error, on the data of `run`.
RunMoment run_with(const RunMoment& run, const std::string& name, std::uint64_t seed, double rate, double error)
{
    Study study                           = run.experiment->study;
    study.name                            = name;
    study.seed                            = seed;
    study.training.schedule.learning_rate = rate;
    auto snapshot                         = std::make_shared<Snapshot>(*run.snapshot);
    snapshot->point.test_error            = error;
    return {with_study(*run.experiment, study), snapshot, run.history};
}

LintCase beside_slower(double first, double second)
{
    const auto run = case_of(small_study("point_estimate")).run;
    return {.run    = run_with(run, "fast, seed 1", 1, 0.01, 0.10),
            .others = {run_with(run, "fast, seed 2", 2, 0.01, 0.12), run_with(run, "slow, seed 1", 1, 0.001, first),
                       run_with(run, "slow, seed 2", 2, 0.001, second)}};
}

TEST(LintDifferenceOfRuns, ADifferenceSmallerThanThatOfTheSeedsIsFound)
{
    const auto finding = found("difference_of_runs", beside_slower(0.11, 0.13));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->title, "The difference to slow, seed 1 is within the noise of the seeds.");
    EXPECT_THAT(finding->evidence, HasSubstr("0.11 over 2 seeds and 0.12 over 2 seeds; they differ by 0.01"));
}

TEST(LintDifferenceOfRuns, SaysNothingOfAClearDifferenceAndWithoutSeeds)
{
    EXPECT_FALSE(found("difference_of_runs", beside_slower(0.31, 0.32)));
    auto single = beside_slower(0.11, 0.13);
    single.others.resize(2);
    single.others.erase(single.others.begin());
    EXPECT_FALSE(found("difference_of_runs", single));
    EXPECT_FALSE(found("difference_of_runs", case_of(small_study("mean_field"))));
}

}   // namespace
}   // namespace credence
