// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/number_text.h"
#include "linter/evidence.h"
#include "linter/rules.h"
#include "study/fields.h"

#include <algorithm>
#include <limits>

namespace credence {

using namespace lint_support;

namespace {

constexpr double enough_draws = 400;    // independent ones
constexpr double few_places   = 0.05;   // share of quantities that may have fewer

std::optional<Finding> check_ess(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto chains = hamiltonian_chains(lint_case, stop);
    if (!chains)
        return {};
    double bulk = std::numeric_limits<double>::infinity(), tail = bulk;
    long n = 0, short_of = 0;
    for (const auto& quantity : chains->summary.quantities) {
        if (!quantity.bulk_ess || !quantity.tail_ess)
            continue;
        ++n;
        short_of += std::min(*quantity.bulk_ess, *quantity.tail_ess) < enough_draws;
        bulk = std::min(bulk, *quantity.bulk_ess);
        tail = std::min(tail, *quantity.tail_ess);
    }
    if (n == 0 || static_cast<double>(short_of) <= few_places * static_cast<double>(n))
        return {};
    const auto& draws = field("posterior.draws");
    const long made   = std::get<long>(draws.get(lint_case.run.experiment->study));
    return Finding{
        .severity = Severity::doubtful,
        .title    = "The draws are worth too few independent ones.",
        .evidence = "The effective sample size is at least " + number(bulk) + " for means and " + number(tail)
                    + " for quantiles at " + counted(static_cast<long>(chains->n_rows), "row") + ", expected "
                    + number(enough_draws) + "; " + percent(static_cast<double>(short_of) / static_cast<double>(n))
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
