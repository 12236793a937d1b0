// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/number_text.h"
#include "linter/evidence.h"
#include "linter/rules.h"
#include "study/fields.h"

namespace credence {

using namespace lint_support;

namespace {

constexpr double many_divergences = 0.01;   // share of the samples

std::optional<Finding> check_divergences(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto chains = hamiltonian_chains(lint_case, stop);
    if (!chains || chains->divergent == 0)
        return {};
    const double share = static_cast<double>(chains->divergent) / static_cast<double>(chains->all_draws());
    const double aimed = std::get<double>(field("posterior.target_acceptance").get(lint_case.run.experiment->study));
    const std::string target = aimed < 0.95 ? "0.95" : plain_text((1 + aimed) / 2);
    return Finding{
        .severity = share > many_divergences ? Severity::wrong : Severity::doubtful,
        .title    = share > many_divergences ? "Many trajectories diverged." : "Some trajectories diverged.",
        .evidence = grouped_text(chains->divergent) + " of " + counted(chains->all_draws(), "sample") + " ("
                    + percent(share) + "), expected 0.",
        .reason =
            "A trajectory diverges where the posterior curves more sharply than the steps can follow. Samples from "
            "such regions are missing, which biases the results.",
        .remedy = {.label    = "Raise the target acceptance to " + target,
                   .settings = {{"posterior.target_acceptance", target}}}};
}

}   // namespace

LintRule divergences_rule()
{
    return {.id    = "divergences",
            .title = "Divergent trajectories",
            .what  = "NUTS and HMC: doubtful if any trajectory diverged after the warm-up, wrong if more than 1 % did "
                     "(Betancourt 2017).",
            .idea  = "Betancourt 2017",
            .threshold = "chosen for Credence: any divergence; 1 % counts as wrong",
            .check     = check_divergences};
}

}   // namespace credence
