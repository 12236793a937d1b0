// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/number_text.h"
#include "linter/evidence.h"
#include "linter/rules.h"

#include <algorithm>

namespace credence {

using namespace lint_support;

namespace {

constexpr double few_divergences = 0.01;   // share of the samples

std::optional<Finding> check_funnel_unseen(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto chains = hamiltonian_chains(lint_case, stop);
    if (!chains || static_cast<double>(chains->divergent) > few_divergences * static_cast<double>(chains->all_draws()))
        return {};
    const bool slow_energy = std::ranges::any_of(chains->e_bfmi, [](double value) { return value < smallest_e_bfmi; });
    const bool disagree    = chains->disagree();
    if (!slow_energy && !disagree)
        return {};
    return Finding{
        .severity = Severity::doubtful,
        .title    = "Few divergences do not prove that the chains explored the whole posterior.",
        .evidence = grouped_text(chains->divergent) + " of " + counted(chains->all_draws(), "sample")
                    + " diverged, but "
                    + (slow_energy ? "the E-BFMI of a chain is below " + number(smallest_e_bfmi) : std::string())
                    + (slow_energy && disagree ? " and " : "")
                    + (disagree ? "R̂ is at worst " + chains->worst_r_hat() + ", expected at most 1.01" : std::string())
                    + ".",
        .reason = "A chain that never enters a narrow region of the posterior has no divergence to report. Chains from "
                  "different starting points show whether it was explored; the number of divergences does not.",
        .remedy = {.label = "Show the traces of the chains", .view = "chain_traces"}};
}

}   // namespace

LintRule funnel_unseen_rule()
{
    return {.id    = "funnel_unseen",
            .title = "Few divergences do not prove full exploration",
            .what  = "NUTS and HMC: doubtful if at most 1 % of the trajectories diverged but the chains disagree (rule "
                     "`r_hat`) or change their energy slowly (rule `e_bfmi`).",
            .idea  = "Betancourt 2017",
            .threshold = "those of the rules r_hat and e_bfmi",
            .check     = check_funnel_unseen};
}

}   // namespace credence
