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
        .title    = "OOD data are compared with training rows.",
        .evidence = "There are 0 test rows, so OOD scores use the " + counted(n, "training row")
                    + " instead; expected in-distribution rows that the network has not "
                      "seen.",
        .reason =
            "A network is more confident on its training rows. The AUROC then measures how well training rows are "
            "separated from others, not how well OOD inputs are separated from new ones.",
        .remedy = {.label = "Reserve a fifth of the rows for testing", .settings = {{"split.test_fraction", "0.2"}}}};
}

}   // namespace

LintRule ood_without_own_rows_rule()
{
    return {
        .id    = "ood_without_own_rows",
        .title = "Out-of-distribution score without in-distribution data",
        .what = "Classification: doubtful if there are no test rows, so that OOD data are compared with training rows.",
        .idea = "Hobbhahn 2020",
        .threshold = "no test rows",
        .check     = check_ood_without_own_rows};
}

}   // namespace credence
