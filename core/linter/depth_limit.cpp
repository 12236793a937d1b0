// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/number_text.h"
#include "linter/evidence.h"
#include "linter/rules.h"
#include "study/fields.h"

#include <algorithm>

namespace credence {

using namespace lint_support;

namespace {

constexpr double many_at_limit = 0.01;   // share of the samples

std::optional<Finding> check_depth_limit(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto chains = hamiltonian_chains(lint_case, stop);
    if (!chains || lint_case.run.experiment->study.posterior.family != "nuts")
        return {};
    const double share = static_cast<double>(chains->at_depth_limit) / static_cast<double>(chains->all_draws());
    const auto worth   = chains->worth();
    if (share < many_at_limit || worth.short_share <= most_short)   // cut off, but the ESS is sufficient
        return {};
    const long limit = std::get<long>(field("posterior.depth_limit").get(lint_case.run.experiment->study));
    return Finding{
        .severity = Severity::doubtful,
        .title    = "Trajectories reach the depth limit before a U-turn.",
        .evidence = grouped_text(chains->at_depth_limit) + " of " + counted(chains->all_draws(), "sample") + " ("
                    + percent(share) + ") reached depth " + std::to_string(limit) + ", expected less than "
                    + percent(many_at_limit) + "; the effective sample size is as low as "
                    + number(std::min(worth.bulk, worth.tail)) + ", expected " + number(enough_draws) + ".",
        .reason = "Such a trajectory was cut off while it still moved away from its start, so the chain explores more "
                  "slowly than NUTS could.",
        .remedy = {.label    = "Raise the depth limit by 2",
                   .settings = {{"posterior.depth_limit", std::to_string(limit + 2)}}}};
}

}   // namespace

LintRule depth_limit_rule()
{
    return {
        .id    = "depth_limit",
        .title = "Trajectories at the depth limit",
        .what = "NUTS: doubtful if at least 1 % of the trajectories reached the depth limit instead of making a U-turn "
                "(Hoffman and Gelman 2014) and the effective sample size is too small. The limit costs efficiency but "
                "causes no bias. The rule has no finding if the effective sample size is large anyway, as on a curve "
                "with little noise.",
        .idea = "Hoffman and Gelman 2014",
        .threshold = "chosen for Credence: 1 % of the trajectories",
        .check     = check_depth_limit};
}

}   // namespace credence
