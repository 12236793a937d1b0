// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/evidence.h"
#include "linter/rules.h"

namespace credence {

namespace {

std::optional<Finding> check_table_changed(const LintCase& lint_case, const std::stop_token&)
{
    if (!lint_case.run.experiment)
        return {};
    const auto& now = lint_case.run.experiment->table;
    if (now.empty() || lint_case.table.empty() || now == lint_case.table)
        return {};
    return Finding{
        .severity = Severity::wrong,
        .title    = "The table has changed since this run was trained.",
        .evidence = "The file " + lint_case.run.experiment->study.data.file + " has " + now
                    + "; when the training began, it had " + lint_case.table + ".",
        .reason =
            "Scores and pictures are of the rows of today, split and standardised anew, which are not those that this net has learned from: rows that it was "
            "trained on may stand among the test rows. Train it again, or put the old file back.",
        .remedy = {}};
}

}   // namespace

LintRule table_changed_rule()
{
    return {
        .id    = "table_changed",
        .title = "Table that has changed since the training",
        .what =
            "Of tables from a file, for a run that was kept: wrong where the file's size or hash is not what it was when the training began. "
            "Silent on runs that were kept before the hash was.",
        .threshold = "any change of the file",
        .check     = check_table_changed};
}

}   // namespace credence
