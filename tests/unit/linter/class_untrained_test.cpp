// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include "unit/formats/table_file.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::HasSubstr;

/// Sixty rows, of which one belongs to class c. @param seed  of the split
Study one_row_of_c(std::uint64_t seed, const TableFile& file)
{
    Study study          = small_study("mean_field");
    study.data.source    = DataSource::csv;
    study.data.file      = file.path().string();
    study.training.steps = 2;
    study.split.seed     = seed;
    return study;
}

TEST(LintClassUntrained, ReportsIfAndOnlyIfTheOnlyRowOfAClassIsATestRow)
{
    std::string text = "x,class\n";
    for (int i = 0; i < 60; ++i)
        text += std::to_string(i) + ".5," + (i == 30 ? "c" : i % 2 ? "a" : "b") + "\n";
    const TableFile file(text);
    bool both[2]{};
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        const auto lint_case = case_of(one_row_of_c(seed, file));
        const auto& labels   = lint_case.run.experiment->data->training.labels;
        const bool trained   = std::ranges::find(labels, 2) != labels.end();
        const auto finding   = found("class_untrained", lint_case);
        EXPECT_NE(finding.has_value(), trained) << seed;
        if (finding) {
            EXPECT_EQ(finding->title, "No training row belongs to class c.");
            EXPECT_THAT(finding->evidence, HasSubstr("1 test row of 12 belongs to c"));
        }
        both[trained] = true;
    }
    EXPECT_TRUE(both[0] && both[1]) << "twelve splits have both";
}

TEST(LintClassUntrained, IsSilentForNumbersAndOfUsualClasses)
{
    EXPECT_FALSE(found("class_untrained", case_of(small_study("mean_field"))));
    EXPECT_FALSE(found("class_untrained", case_of(small_study("mean_field", ToyKind::cubic))));
}

}   // namespace
}   // namespace credence
