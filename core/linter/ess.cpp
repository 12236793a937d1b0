// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/number_text.h"
#include "linter/evidence.h"
#include "linter/rules.h"
#include "study/fields.h"

namespace credence {

using namespace lint_support;

namespace {

std::optional<Finding> check_ess(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto chains = hamiltonian_chains(lint_case, stop);
    const auto worth  = chains ? chains->worth() : ChainEvidence::Worth();
    if (worth.short_share <= most_short)
        return {};
    const auto& draws = field("posterior.draws");
    const long made   = std::get<long>(draws.get(lint_case.run.experiment->study));
    const bool untold = chains->cannot_tell();
    return Finding{
        .severity = Severity::doubtful,
        .title    = untold ? "There are too few effective samples to tell whether the chains agree."
                           : "There are too few effective samples.",
        .evidence = "The effective sample size is " + number(worth.bulk) + " for means and " + number(worth.tail)
                    + " for quantiles in the worst case at " + counted(static_cast<long>(chains->n_rows), "row")
                    + ", expected at least " + number(enough_draws) + "; " + percent(worth.short_share)
                    + " of the quantities fall short, with " + counted(chains->all_draws(), "sample") + "."
                    + (untold ? " R̂ is above 1.01 for " + percent(chains->share_above())
                                    + " of them; with so few effective samples this can be chance."
                              : std::string()),
        .reason =
            "Successive states of a chain are correlated. With few effective samples the Monte Carlo error of means "
            "and intervals is large, and R̂ exceeds 1.01 even if the chains agree.",
        .remedy = {.label = "Double the samples", .settings = {{"posterior.draws", std::to_string(2 * made)}}}};
}

}   // namespace

LintRule ess_rule()
{
    return {
        .id    = "ess",
        .title = "Too small an effective sample size",
        .what =
            "NUTS and HMC: bulk and tail ESS of the predictions at up to 50 rows, compared with 400. Doubtful if more "
            "than 5 % of the quantities fall short. If R̂ is above 1.01 and the chains are too short to rule out "
            "chance, the finding mentions it. Skipped for stochastic-gradient chains, which store fewer states by "
            "design and are biased by their step size first.",
        .idea      = "Vehtari et al. 2021",
        .threshold = "Vehtari et al. 2021: 400; chosen for Credence: 5 % of the quantities",
        .check     = check_ess};
}

}   // namespace credence
