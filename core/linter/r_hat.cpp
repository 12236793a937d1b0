// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/evidence.h"
#include "linter/rules.h"
#include "views/chain_table.h"

namespace credence {

using namespace lint_support;

namespace {

std::optional<Finding> check_r_hat(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto chains = hamiltonian_chains(lint_case, stop);
    if (!chains || chains->disagreement() <= most_disagreement)
        return {};
    const double above = 1 - *chains->summary.share_below;
    return Finding{
        .severity = above > 0.5 ? Severity::wrong : Severity::doubtful,
        .title    = "The chains do not agree on the function.",
        .evidence = "R̂ is above " + number(view_support::agreeing_r_hat) + " for " + percent(above)
                    + " of what is predicted at " + counted(static_cast<long>(chains->n_rows), "row") + " (worst "
                    + chains->worst_r_hat() + "); for the same draws in random order it is so for "
                    + percent(1 - *chains->summary.floor_share) + ".",
        .source = "Vehtari et al. 2021",
        .reason =
            "Chains that began at different places tell different stories: they have not yet forgotten their start, or sit in "
            "modes of their own. Their draws together are not draws of the posterior.",
        .remedy = {.label = "Show the convergence of the chains", .view = "chain_convergence"}};
}

}   // namespace

LintRule r_hat_rule()
{
    return {
        .id    = "r_hat",
        .title = "Chains that do not agree (R̂)",
        .what =
            "Of NUTS and HMC: R̂ of the class probabilities, or of the function's value, at up to 50 rows, held against 1.01 "
            "(Vehtari et al. 2021). R̂ scatters, the more so over many quantities and few draws, so that the same draws are dealt "
            "to the chains at random once more: doubtful where the share of quantities below 1.01 is more than 5 % short of what these "
            "reach, wrong where more than half are above. R̂ of weights is not asked, since hidden units can change places. Silent "
            "on stochastic-gradient chains: their few kept states are of one path, and the view of their convergence shows it.",
        .check = check_r_hat};
}

}   // namespace credence
