// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include "outputs/opened_outputs.h"
#include "unit/outputs/outputs_npz.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

/// Ten rows of two classes, all predicted as the first one, with two draws. @param rare  rows of the second class
RunSnapshot all_taken_for_the_first(int rare)
{
    std::vector<float> draws;
    std::vector<std::int64_t> labels;
    for (int draw = 0; draw < 2; ++draw)
        for (int row = 0; row < 10; ++row)
            draws.insert(draws.end(),
                         {0.75f + 0.125f * static_cast<float>(draw), 0.25f - 0.125f * static_cast<float>(draw)});
    for (int row = 0; row < 10; ++row)
        labels.push_back(row < rare);
    return moment_of_outputs(outputs_npz::opened(
        {logits_npz::floats("probabilities", {2, 10, 2}, draws), logits_npz::integers("labels", labels)}, "rare.npz"));
}

TEST(LintClassImbalance, ARareClassThatIsNeverPredictedIsFound)
{
    const auto finding = found("class_imbalance", {.run = all_taken_for_the_first(1)});
    ASSERT_TRUE(finding);
    EXPECT_THAT(finding->evidence, HasSubstr("has 90 % of the rows. The accuracy is 90 %, the balanced accuracy 50 %"));
}

TEST(LintClassImbalance, IsSilentForClassesOfOneSize)
{
    EXPECT_FALSE(found("class_imbalance", {.run = all_taken_for_the_first(5)}));
    EXPECT_FALSE(found("class_imbalance", case_of(small_study("mean_field"))));
    EXPECT_FALSE(found("class_imbalance", case_of(small_study("mean_field", ToyKind::cubic))));
}

}   // namespace
}   // namespace credence
