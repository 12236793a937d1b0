// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/evidence.h"
#include "linter/rules.h"

#include <algorithm>

namespace credence {

using namespace lint_support;

namespace {

std::optional<Finding> check_e_bfmi(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto chains = hamiltonian_chains(lint_case, stop);
    if (!chains || chains->e_bfmi.empty())
        return {};
    const double smallest = std::ranges::min(chains->e_bfmi);
    if (smallest >= smallest_e_bfmi)
        return {};
    return Finding{
        .severity = Severity::doubtful,
        .title    = "A chain changes its energy too slowly.",
        .evidence = "E-BFMI is " + number(smallest) + " for the worst of "
                    + counted(static_cast<long>(chains->e_bfmi.size()), "chain") + ", expected at least "
                    + number(smallest_e_bfmi) + ".",
        .reason = "Resampling the momentum changes the energy only a little, so the chain explores the tails of the "
                  "posterior slowly.",
        .remedy = {.label = "Show the traces of the chains", .view = "chain_traces"}};
}

}   // namespace

LintRule e_bfmi_rule()
{
    return {.id        = "e_bfmi",
            .title     = "Chains that change their energy slowly (E-BFMI)",
            .what      = "NUTS and HMC: doubtful if the E-BFMI of a chain is below 0.3 (Betancourt 2016).",
            .idea      = "Betancourt 2016",
            .threshold = "Betancourt 2016: 0.3",
            .check     = check_e_bfmi};
}

}   // namespace credence
