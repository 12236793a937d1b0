// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/one_line.h"
#include "linter/evidence.h"
#include "linter/rules.h"

namespace credence {

using namespace lint_support;

namespace {

constexpr double guarded_tau = 0.01, just_above = 0.0101;   // ln(1 + e^δ) at δ = −4.600166

std::optional<Finding> check_tau_at_guard(const LintCase& lint_case, const std::stop_token&)
{
    if (!is_own_run(lint_case) || !lint_case.run.experiment->study.posterior.guard_spread)
        return {};
    std::vector<std::string> names;
    for (const auto& block : layers_at_end(lint_case.run))
        if (block.kind == BlockKind::weights && block.tau && *block.tau <= just_above)
            names.push_back(block.block);
    if (names.empty())
        return {};
    return Finding{.severity = Severity::doubtful,
                   .title    = "τ of " + some_names(names) + " is at its lower limit.",
                   .evidence = "τ is " + number(guarded_tau)
                               + ", the smallest value that the guard allows; expected more than " + number(just_above)
                               + ".",
                   .reason = "The spread of these weights is set by the fixed limit. The data and the prior "
                             "would make it smaller.",
                   .remedy = {.label = "Show the layers over training", .view = "layers_over_training"}};
}

}   // namespace

LintRule tau_at_guard_rule()
{
    return {
        .id    = "tau_at_guard",
        .title = "τ at its lower limit",
        .what =
            "Doubtful if τ of a layer's weights ends at 0.01, the lower limit set by the guard δ ≥ −4.600166 of Posch "
            "and Pilz 2021. Skipped if the guard is off, and for biases.",
        .idea      = "Posch and Pilz 2021",
        .threshold = "Posch and Pilz 2021: δ = −4.600166",
        .check     = check_tau_at_guard};
}

}   // namespace credence
