// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/run_plan.h"

#include "foundation/number_text.h"

#include <algorithm>

namespace credence {
namespace {

/// Returns the step of the slowest chain, including those to its own start. A negative result is
/// the number of steps until the chains start.
long step_of_chain(const RunPlan& plan, long step)
{
    const long moved = step - plan.shared_start;
    return moved < 0 || plan.abreast ? moved : moved / std::max(1, plan.chains);
}

std::string of(long part, long all) { return grouped_text(part) + " of " + grouped_text(all); }

}   // namespace

long draws_kept(const RunPlan& plan, long step)
{
    const long done   = step_of_chain(plan, step) - plan.own_start;
    const auto passed = std::upper_bound(plan.kept.begin(), plan.kept.end(), done) - plan.kept.begin();
    return plan.draws * plan.chains * passed;
}

std::string progress_words(const RunPlan& plan, long step)
{
    const long at     = step_of_chain(plan, step);
    const long done   = at - plan.own_start;
    const long kept   = draws_kept(plan, step);
    const auto within = [done](const std::pair<long, long>& part) { return part.first <= done && done < part.second; };
    const bool is_quiet = std::any_of(plan.quiet.begin(), plan.quiet.end(), within);
    std::string words   = std::string(plan.one_step) + " ";
    if (at < 0)
        words += of(step, plan.shared_start) + " to the start of all chains";
    else if (done < 0)
        words += of(at, plan.own_start) + " to its start";
    else
        words += of(done, plan.steps);
    if (plan.chains > 1 && at >= 0)
        words += ", " + grouped_text(plan.chains) + " chains";
    if (done >= 0 && is_quiet)
        words += std::string(", ") + plan.quiet_words;
    if (kept > 0 || (done >= 0 && !is_quiet))
        words += std::string(", ") + plan.kept_words + " "
                 + of(kept, plan.draws * plan.chains * static_cast<long>(plan.kept.size()));
    return words;
}

}   // namespace credence
