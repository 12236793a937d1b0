// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// A short run with this name, seed and number of steps on one data set.
RunSnapshot trained(const std::string& name, std::uint64_t seed, int steps)
{
    Study study          = course_study("point_estimate");
    study.data.toy.n     = 300;
    study.data.toy.noise = 0.6;
    study.name           = name;
    study.seed           = seed;
    study.training.steps = steps;
    return case_of(study).run;
}

/// The network of a run as that of another Study and seed, on the same data.
RunSnapshot as_run(const RunSnapshot& run, const std::string& name, std::uint64_t seed, double rate)
{
    Study study                           = run.experiment->study;
    study.name                            = name;
    study.seed                            = seed;
    study.training.schedule.learning_rate = rate;
    study.training.steps                  = 80;   // of all of one Study
    return {with_study(*run.experiment, study), std::make_shared<const Snapshot>(*run.snapshot), run.history};
}

TEST(LintDifferenceOfRuns, FindsADifferenceSmallerThanTheSpreadAcrossSeeds)
{
    // Both Studies have the same three networks, at other seeds: their mean RMSEs are equal, and the seeds differ.
    std::vector<RunSnapshot> networks;
    for (const int steps : {20, 40, 80}) {
        Study study          = small_study("point_estimate", ToyKind::cubic);
        study.training.steps = steps;
        networks.push_back(case_of(study).run);
    }
    const auto finding = found("difference_of_runs",
                               {.run    = as_run(networks[0], "fast", 1, 0.01),
                                .others = {as_run(networks[1], "fast", 2, 0.01), as_run(networks[2], "fast", 3, 0.01),
                                           as_run(networks[1], "slow", 1, 0.001), as_run(networks[2], "slow", 2, 0.001),
                                           as_run(networks[0], "slow", 3, 0.001)}});
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->title, "These seeds do not show a difference from slow.");
    EXPECT_THAT(finding->evidence, AllOf(HasSubstr("Final RMSE on the test set."), HasSubstr("paired by 3 seeds"),
                                         HasSubstr("would be found with a probability of 80 %")));
}

TEST(LintDifferenceOfRuns, IsSilentForAClearDifferenceAndWithoutSeeds)
{
    const auto untrained = trained("1 step", 1, 1), trained_well = trained("400 steps", 1, 400);
    const LintCase clear{.run    = trained_well,
                         .others = {trained("400 steps", 2, 400), trained("400 steps", 3, 400), untrained,
                                    trained("1 step", 2, 1), trained("1 step", 3, 1)}};
    EXPECT_FALSE(found("difference_of_runs", clear));
    EXPECT_FALSE(found("difference_of_runs", {.run = trained_well, .others = {untrained}}));
    EXPECT_FALSE(found("difference_of_runs", {.run = trained_well}));
}

TEST(LintDifferenceOfRuns, OneRunComparedWithTwoSeedsNeedsMoreThanTwoStandardErrors)
{
    const auto finding = found(
        "difference_of_runs",
        {.run = trained("400 steps", 1, 400), .others = {trained("400 steps", 2, 400), trained("500 steps", 3, 500)}});
    ASSERT_TRUE(finding);
    EXPECT_THAT(finding->evidence, HasSubstr("(95 % interval, 2 and 1 seed)"));
}

}   // namespace
}   // namespace credence
