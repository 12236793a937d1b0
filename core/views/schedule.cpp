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
    return "This run has a constant step size and saves no draws during training, so its schedule would be a "
           "straight line.";
}

std::optional<Chart> make_schedule(const RunSnapshot& moment, const ViewOptions&, const std::stop_token&)
{
    return with_setting(to_chart(step_schedule(plan_of(moment.experiment->study))), moment);
}

}   // namespace

View schedule_view()
{
    return {
        .id    = "schedule",
        .title = "Step sizes and saved draws",
        .help =
            "The schedule that is fixed before the run: the learning rate η at each step, and the steps after which "
            "a draw is saved (marks). Nothing is saved where the background is shaded: during burn-in, while a chain "
            "moves away from its start, or during the part of each cycle in which cyclical SGLD moves to another "
            "mode without noise. For a chain η sets the size of a step: with N training points Langevin's ε is 2η/N "
            "and SGHMC's is η/N. The noise is √(2ηT/N) times a standard normal, so smaller steps have less noise. If "
            "the step size decays to 0, the last draws hardly differ. All chains of a run share the schedule. "
            "Sources: Welling and Teh 2011 for decaying steps; Zhang et al. 2020 for cycles.",
        .cost        = Cost::quick,
        .when_pruned = WhenPruned::whole,
        .why_not     = why_no_schedule,
        .make        = make_schedule};
}

}   // namespace credence
