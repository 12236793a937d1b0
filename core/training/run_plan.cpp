// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/run_plan.h"

#include "foundation/number_text.h"

#include <algorithm>

namespace credence {
namespace {

/// Where a run stands whose chains follow one another.
struct Place {
    long chain = 0;   // 0-based
    long step  = 0;   // of the chain, its approach among them
};

Place place_at(const RunPlan& plan, long step)
{
    if (plan.side_by_side)
        return {0, step};
    const long each  = std::max(1L, plan.approach + plan.steps);
    const long chain = std::clamp(step / each, 0L, static_cast<long>(plan.chains) - 1);   // the last one at the end
    return {chain, step - chain * each};
}

std::string of(long part, long all) { return grouped_text(part) + " of " + grouped_text(all); }

}   // namespace

long draws_kept(const RunPlan& plan, long step)
{
    const Place at    = place_at(plan, step);
    const auto passed = std::upper_bound(plan.kept.begin(), plan.kept.end(), at.step - plan.approach)
                        - plan.kept.begin();
    const auto each = static_cast<long>(plan.kept.size());
    return plan.draws * (plan.side_by_side ? plan.chains * passed : at.chain * each + passed);
}

std::string progress_words(const RunPlan& plan, long step)
{
    const Place at    = place_at(plan, step);
    const long moved  = at.step - plan.approach;
    const long kept   = draws_kept(plan, step);
    const auto within = [moved](const std::pair<long, long>& part) {
        return part.first <= moved && moved < part.second;
    };
    const bool is_quiet = std::any_of(plan.quiet.begin(), plan.quiet.end(), within);
    std::string words;
    if (!plan.side_by_side && plan.chains > 1)
        words = "chain " + of(at.chain + 1, plan.chains) + ", ";
    words += std::string(plan.one_step) + " ";
    if (moved < 0)
        words += of(at.step, plan.approach) + " to its start";
    else
        words += of(moved, plan.steps);
    if (plan.side_by_side && plan.chains > 1)
        words += ", " + grouped_text(plan.chains) + " chains";
    if (moved >= 0 && is_quiet)
        words += std::string(", ") + plan.quiet_words;
    if (kept > 0 || (moved >= 0 && !is_quiet))
        words += std::string(", ") + plan.kept_words + " "
                 + of(kept, plan.draws * plan.chains * static_cast<long>(plan.kept.size()));
    return words;
}

}   // namespace credence
