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
                    + "; when training started, it had " + lint_case.table + ".",
        .reason =
            "Scores and figures use the current rows, split and standardised again. These differ from the rows that "
            "the network was trained on, and some of those may now be test rows. Train again, or restore the old file.",
        .remedy = {}};
}

}   // namespace

LintRule table_changed_rule()
{
    return {
        .id    = "table_changed",
        .title = "Table changed since training",
        .what =
            "Saved runs on tables from files: wrong if the size or hash of the file differs from that at the start of "
            "training. Skipped for runs saved without a hash by older versions.",
        .threshold = "any change of the file",
        .check     = check_table_changed};
}

}   // namespace credence
