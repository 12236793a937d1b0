// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/evidence.h"
#include "linter/rules.h"

namespace credence {

using namespace lint_support;

namespace {

std::optional<Finding> check_ood_without_own_rows(const LintCase& lint_case, const std::stop_token&)
{
    const auto& run = lint_case.run;
    if (!is_own_run(lint_case) || run.experiment->task() != Task::classification
        || run.experiment->data->test.n_rows > 0)
        return {};
    const auto n = static_cast<long>(run.experiment->data->training.n_rows);
    return Finding{
        .severity = Severity::doubtful,
        .title    = "Foreign data are held against training rows.",
        .evidence = "There are 0 test rows, so that scores of foreign data compare them with the "
                    + counted(n, "training row") + "; expected rows of the same kind that the net has not seen.",
        .reason =
            "A net is surer of rows that it was trained on. An AUROC from them says how well training rows are told from "
            "others, not how well foreign inputs are told from new ones.",
        .remedy = {.label = "Keep a fifth of the rows for testing", .settings = {{"split.test_fraction", "0.2"}}}};
}

}   // namespace

LintRule ood_without_own_rows_rule()
{
    return {
        .id    = "ood_without_own_rows",
        .title = "Out-of-distribution score without in-distribution data",
        .what =
            "Of classes: doubtful where there are no test rows, so that the page of foreign data holds them against training rows.",
        .idea      = "Hobbhahn 2020",
        .threshold = "no test rows",
        .check     = check_ood_without_own_rows};
}

}   // namespace credence
