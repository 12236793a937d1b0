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
    return Finding{
        .severity = Severity::doubtful,
        .title    = "The draws are worth too few independent ones.",
        .evidence = "The effective sample size is at least " + number(worth.bulk) + " for means and "
                    + number(worth.tail) + " for quantiles at " + counted(static_cast<long>(chains->n_rows), "row")
                    + ", expected " + number(enough_draws) + "; " + percent(worth.short_share)
                    + " of the quantities fall short, with " + grouped_text(chains->all_draws()) + " draws.",
        .source = "Vehtari et al. 2021",
        .reason =
            "Successive states of a chain are alike. With fewer independent draws the Monte Carlo error of means and intervals is "
            "large, and R̂ itself cannot be trusted.",
        .remedy = {.label = "Double the draws", .settings = {{"posterior.draws", std::to_string(2 * made)}}}};
}

}   // namespace

LintRule ess_rule()
{
    return {
        .id    = "ess",
        .title = "Too small an effective sample size",
        .what =
            "Of NUTS and HMC: bulk and tail ESS of what is predicted at up to 50 rows, held against 400 (Vehtari et al. 2021). Doubtful "
            "where more than 5 % of the quantities fall short. Silent on stochastic-gradient chains, which keep fewer states by "
            "intention and are biased by their step size first.",
        .check = check_ess};
}

}   // namespace credence
