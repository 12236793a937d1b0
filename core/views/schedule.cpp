// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/view_support.h"

#include "figures/step_schedule.h"
#include "study/method.h"

namespace credence {

using namespace view_support;

namespace {

std::optional<std::string> why_no_schedule(const Experiment& experiment)
{
    if (has_step_schedule(experiment.study))
        return {};
    return "This run has no step sizes that change and keeps no draws on its way: a schedule would be a straight line.";
}

std::optional<Chart> make_schedule(const RunMoment& moment, const ViewOptions&, const std::stop_token&)
{
    return with_setting(to_chart(step_schedule(plan_of(moment.experiment->study))), moment);
}

}   // namespace

View schedule_view()
{
    return {
        .id    = "schedule",
        .title = "Step sizes and kept draws",
        .help =
            "What is settled before the run: the learning rate η at each step, and the steps after which a draw is kept (marks). Where the ground is shaded nothing is kept: "
            "the burn-in, in which a chain finds its way from its start, or the part of each cycle in which cyclical SGLD moves without noise to another mode. Of a chain η says how "
            "far a step goes: with N training points Langevin's ε is 2η/N, SGHMC's η/N; the noise is √(2ηT/N) times a standard normal, so that a step that shrinks has less of it. "
            "A step that falls to 0 ends with draws that hardly differ. Every chain of a run has the same schedule. Sources: Welling and Teh 2011 for steps that fall; Zhang et al. "
            "2020 for cycles.",
        .cost        = Cost::quick,
        .when_pruned = WhenPruned::whole,
        .why_not     = why_no_schedule,
        .make        = make_schedule};
}

}   // namespace credence
