// SPDX-License-Identifier: GPL-3.0-or-later
#include "lint_runs.h"

#include "runs/moments.h"
#include "runs/run_with_checkpoints.h"
#include "unit/formats/table_file.h"

#include <gmock/gmock.h>

#include <string>

namespace credence {
namespace {

std::string rows_as_text(int rows)
{
    std::string text = "a,b,class\n";
    for (int i = 0; i < rows; ++i)
        text += std::to_string(i % 7) + ',' + std::to_string(i % 5) + (i % 2 == 0 ? ",no\n" : ",yes\n");
    return text;
}

/// A run on a table of 40 rows, saved and reopened when the table has this many rows.
LintCase read_again_with(int rows)
{
    const TableFile table(rows_as_text(40));
    const auto kept_file = table.path().parent_path() / "run.credence";
    Study study          = small_study("point_estimate");
    study.data.source    = DataSource::csv;
    study.data.file      = table.path().string();
    save_run(recorded_run(*prepare(study), {}, nullptr, {}), kept_file);
    std::ofstream(table.path()) << rows_as_text(rows);
    const SavedRun kept = load_run(kept_file);
    return {.run = last_moment_of(kept), .report = kept.report, .table = kept.table};
}

TEST(LintTableChanged, RowsAddedSinceAreFound)
{
    const auto finding = found("table_changed", read_again_with(45));
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::wrong);
    EXPECT_THAT(finding->evidence, ::testing::ContainsRegex("has 347 bytes, hash [0-9a-f]+; .* had 310 bytes"));
}

TEST(LintTableChanged, IsSilentForTheSameFileAndOfDataThatAreMade)
{
    EXPECT_FALSE(found("table_changed", read_again_with(40)));
    auto made  = case_of(small_study("point_estimate"));
    made.table = "250 bytes, hash 0123456789abcdef";   // of what it never was
    EXPECT_FALSE(found("table_changed", made));
}

TEST(LintTableChanged, IsSilentIfTheEarlierStateIsUnknown)
{
    auto run = read_again_with(45);
    run.table.clear();
    EXPECT_FALSE(found("table_changed", run));
}

}   // namespace
}   // namespace credence
