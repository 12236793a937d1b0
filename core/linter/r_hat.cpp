// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "linter/evidence.h"
#include "linter/rules.h"
#include "views/chain_table.h"

namespace credence {

using namespace lint_support;

namespace {

std::optional<Finding> check_r_hat(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto chains = hamiltonian_chains(lint_case, stop);
    if (!chains)
        return {};
    if (chains->cannot_tell() && chains->worth().short_share <= most_short)   // otherwise rule ess reports it
        throw Error("R̂ is above 1.01 for " + percent(chains->share_above())
                    + " of the quantities, but there are too few samples to tell whether the chains disagree.");
    if (!chains->disagree())
        return {};
    const double above = chains->share_above();
    return Finding{
        .severity = above > 0.5 ? Severity::wrong : Severity::doubtful,
        .title    = "The chains do not agree on the function.",
        .evidence = "R̂ is above " + number(view_support::agreeing_r_hat) + " for " + percent(above)
                    + " of the predictions at " + counted(static_cast<long>(chains->n_rows), "row") + " (worst "
                    + chains->worst_r_hat() + "). If the chains agreed, the probability of such a difference would be "
                    + (*chains->summary.agreement < 1e-10 ? "below 10⁻¹⁰" : number(*chains->summary.agreement))
                    + ", expected at least " + number(chance_level)
                    + ". The test allows for the autocorrelation of each chain.",
        .reason = "The chains have not yet forgotten their starting points, or are in different modes. Together, their "
                  "samples do not represent the posterior.",
        .remedy = {.label = "Show the convergence of the chains", .view = "chain_convergence"}};
}

}   // namespace

LintRule r_hat_rule()
{
    return {
        .id    = "r_hat",
        .title = "Chains that do not agree (R̂)",
        .what =
            "NUTS and HMC: R̂ of the class probabilities, or of the function's value, at up to 50 rows, compared with "
            "1.01. R̂ of short or autocorrelated chains exceeds 1.01 even if the chains agree. The rule therefore "
            "tests whether the chain means differ: an analysis of variance of block means, with blocks four times as "
            "long as the autocorrelation time, of ranks and of distances from the median, with Bonferroni's correction "
            "over all quantities. It has a finding if R̂ is above 1.01 for more than 5 % of the quantities and the "
            "probability of such a difference is below 0.1 %: wrong if R̂ is above 1.01 for more than half, otherwise "
            "doubtful. If the chains are too short for four blocks, rule `ess` reports that there are too few samples "
            "to tell. R̂ of weights is not used, since hidden units can be permuted. Skipped for stochastic-gradient "
            "chains, whose few stored states come from one path.",
        .idea      = "Vehtari et al. 2021 (R̂ and 1.01)",
        .threshold = "chosen for Credence by simulation: a probability of 0.1 %",
        .check     = check_r_hat};
}

}   // namespace credence
