// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include "outputs/opened_outputs.h"
#include "unit/outputs/outputs_npz.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

TEST(LintDrawsAlike, AStuckChainIsFound)
{
    const auto finding = found("draws_alike", chains_case({.n_chains = 2, .n_draws = 20, .scale = 0}));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::wrong);
    EXPECT_THAT(finding->evidence, HasSubstr("0 of 38 samples differ from the previous one"));
}

TEST(LintDrawsAlike, APosteriorWithoutSpreadIsFound)
{
    Study study                           = small_study("mean_field");
    study.posterior.initial_sd            = 1e-6;
    study.training.schedule.learning_rate = 1e-9;
    const auto finding                    = found("draws_alike", case_of(study));
    ASSERT_TRUE(finding);
    EXPECT_THAT(finding->evidence, HasSubstr("In every layer the median of σ/|μ| is below 0.0001"));
}

TEST(LintDrawsAlike, AChainWhoseStepsAreTinyIsFound)
{
    Study study                           = small_study("sgld");
    study.training.schedule.learning_rate = 1e-14;
    const auto finding                    = found("draws_alike", case_of(study));
    ASSERT_TRUE(finding);
    EXPECT_THAT(finding->title, HasSubstr("hardly differ"));
}

TEST(LintDrawsAlike, OutputsThatAreOneDrawTwiceAreFound)
{
    const std::vector<float> twice{0.5f, 0.3f, 0.2f, 0.1f, 0.8f, 0.1f, 0.5f, 0.3f, 0.2f, 0.1f, 0.8f, 0.1f};
    const auto file = outputs_npz::opened({logits_npz::floats("probabilities", {2, 2, 3}, twice)}, "twice.npz");
    EXPECT_TRUE(found("draws_alike", {.run = moment_of_outputs(file)}));
    EXPECT_FALSE(found("draws_alike", {.run = moment_of_outputs(outputs_npz::opened(outputs_npz::four_rows()))}));
}

TEST(LintDrawsAlike, IsSilentForDrawsThatDifferAndOfPointEstimates)
{
    for (const char* family :
         {"mean_field", "layer_scale", "point_estimate", "bernoulli_dropout", "deep_ensemble", "sgld"})
        EXPECT_FALSE(found("draws_alike", case_of(small_study(family)))) << family;
    EXPECT_FALSE(found("draws_alike", chains_case(healthy_chains())));
}

}   // namespace
}   // namespace credence
