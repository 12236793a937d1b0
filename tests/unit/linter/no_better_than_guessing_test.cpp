// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include "outputs/opened_outputs.h"
#include "study/presets.h"
#include "unit/outputs/outputs_npz.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace credence {
namespace {

using ::testing::HasSubstr;

/// Thirty rows, of which 18 are of the first class; all are taken for the second one, by two draws.
RunMoment all_taken_for_the_rarer()
{
    std::vector<float> draws;
    std::vector<std::int64_t> labels(30, 0);
    std::fill_n(labels.begin(), 12, 1);
    for (int i = 0; i < 60; ++i)
        draws.insert(draws.end(), {0.25f, 0.75f});
    return moment_of_outputs(outputs_npz::opened(
        {logits_npz::floats("probabilities", {2, 30, 2}, draws), logits_npz::integers("labels", labels)}, "worse.npz"));
}

TEST(LintNoBetterThanGuessing, OutputsThatMissTheLargestClassAreFound)
{
    const auto finding = found("no_better_than_guessing", {.run = all_taken_for_the_rarer()});
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::doubtful);
    EXPECT_THAT(finding->evidence, HasSubstr("40 % of 30 rows are right; who always answers “0” is right at 60 %"));
    EXPECT_EQ(finding->remedy.view, "confusion");
}

TEST(LintNoBetterThanGuessing, DrawsThatForgetTheNetAreFound)
{
    Study study = preset("four_gaussians_laplace");
    for (const char* setting : {"data.noise=1.5", "posterior.laplace_structure=diagonal",
                                "posterior.laplace_precision_from=hand", "posterior.laplace_precision=1e-6"})
        set_field(study, setting);
    const auto finding = found("no_better_than_guessing", case_of(study));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->remedy.view, "training_curves");
}

TEST(LintNoBetterThanGuessing, SaysNothingOfANetThatLearnedAndOfCurves)
{
    EXPECT_FALSE(found("no_better_than_guessing", case_of(course_study("point_estimate"))));
    EXPECT_FALSE(found("no_better_than_guessing", case_of(course_study("mean_field"))));
    EXPECT_FALSE(found("no_better_than_guessing", case_of(small_study("mean_field", ToyKind::cubic))));
}

}   // namespace
}   // namespace credence
