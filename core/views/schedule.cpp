// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/training_curves.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "study/method.h"
#include "views/view_support.h"

#include <algorithm>

namespace credence {

using namespace view_support;

namespace {

constexpr long even_places = 400, places_of_cycle = 25, most_parts = 200, most_marks = 500;

/// n of the steps first … last − 1, including both ends.
void add_evenly(long first, long last, long n, std::vector<long>& steps)
{
    const long all = last - first;
    n              = std::min(n, all);
    for (long k = 0; k < n; ++k)
        steps.push_back(n == 1 ? first : first + k * ((all - 1) / (n - 1)) + k * ((all - 1) % (n - 1)) / (n - 1));
}

/// 0-based, rising.
std::vector<long> places_of(const ScheduleOptions& schedule, long steps)
{
    std::vector<long> places;
    add_evenly(0, steps, even_places, places);
    if (schedule.kind == ScheduleKind::cyclical) {
        const long length = cycle_length(schedule.cycles, steps);
        if (steps / length <= most_parts)
            for (long begin = 0; begin < steps; begin += length)
                add_evenly(begin, std::min(begin + length, steps), places_of_cycle, places);
    } else if (schedule.kind == ScheduleKind::step && schedule.every > 0 && steps / schedule.every <= most_parts) {
        for (long jump = schedule.every; jump < steps; jump += schedule.every) {
            places.push_back(jump - 1);
            places.push_back(jump);
        }
    }
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
}

std::optional<std::string> why_no_schedule(const Experiment& experiment)
{
    if (has_step_schedule(experiment.study))
        return {};
    return "This run has a constant step size and saves no draws during training, so its schedule would be a "
           "straight line.";
}

std::optional<Chart> make_schedule(const RunSnapshot& run, const ViewOptions&, const std::stop_token&)
{
    return with_setting(to_chart(step_schedule(plan_of(run.experiment->study))), run);
}

}   // namespace

StepSchedule step_schedule(RunPlan plan)
{
    if (!plan.schedule)
        throw Error("Step schedule: this run has no learning rate.");
    if (plan.steps < 1)
        throw Error("Step schedule: the run has " + std::to_string(plan.steps) + " steps, expected at least 1.");
    StepSchedule out;
    const auto rate = [&plan](long i) { return learning_rate(*plan.schedule, i, plan.steps); };
    for (const long i : places_of(*plan.schedule, plan.steps)) {
        out.step.push_back(static_cast<double>(i + 1));
        out.rate.push_back(rate(i));
    }
    const auto all = static_cast<long>(plan.kept.size()), n = std::min(all, most_marks);
    for (long k = 1; k <= n; ++k) {   // includes the last
        const long step = plan.kept[static_cast<std::size_t>(k * all / n - 1)];
        out.kept.push_back(static_cast<double>(step));
        out.rate_when_kept.push_back(rate(step - 1));
    }
    out.plan = std::move(plan);
    return out;
}

Chart to_chart(const StepSchedule& schedule)
{
    const RunPlan& plan = schedule.plan;
    const double top    = 1.08 * *std::max_element(schedule.rate.begin(), schedule.rate.end());
    Panel panel{.x = {.label = "Step", .range = Range{0, static_cast<double>(plan.steps)}},
                .y = {.label = "Rate η", .range = Range{0, top > 0 ? top : 1}}};
    if (plan.quiet.size() <= static_cast<std::size_t>(most_parts))
        for (const auto& [first, last] : plan.quiet)
            if (first < last)
                panel.series.push_back(Band{.name    = panel.series.empty() ? plan.quiet_words : "",
                                            .x       = {static_cast<double>(first), static_cast<double>(last)},
                                            .lower   = {0, 0},
                                            .upper   = {panel.y.range->second, panel.y.range->second},
                                            .tone    = {Tone::Kind::muted},
                                            .opacity = 0.25});
    panel.series.push_back(
        Line{.name = "Learning rate", .x = schedule.step, .y = schedule.rate, .tone = {Tone::Kind::training}});
    if (!schedule.kept.empty())
        panel.series.push_back(Points{.name   = plan.kept_words,
                                      .x      = schedule.kept,
                                      .y      = schedule.rate_when_kept,
                                      .tone   = {Tone::Kind::posterior},
                                      .marker = Marker::circle,
                                      .size   = 3.5});
    Chart chart{.id = "schedule", .title = "Step sizes and saved draws", .panels = {std::move(panel)}};
    chart.caption = "Learning rate over the " + grouped_text(plan.steps) + " steps"
                    + (plan.chains > 1 ? " of each of " + grouped_text(plan.chains) + " chains" : std::string());
    if (!plan.kept.empty())
        chart.caption += ", with a mark at each step after which "
                         + std::string(plan.draws > 1 ? "draws are" : "a state is")
                         + " kept: " + grouped_text(static_cast<long>(plan.kept.size()));
    chart.caption += ".";
    if (schedule.kept.size() < plan.kept.size())
        chart.caption += " " + grouped_text(static_cast<long>(schedule.kept.size())) + " of the marks are drawn.";
    if (const long before = plan.shared_start + plan.own_start; before > 0)
        chart.caption += std::string(plan.own_start > 0 ? " Each chain begins" : " All chains begin") + " after "
                         + grouped_text(before) + " steps of Adam.";
    return chart;
}

View schedule_view()
{
    return {
        .id    = "schedule",
        .title = "Step sizes and saved draws",
        .group = ViewGroup::training,
        .help =
            "The schedule that is fixed before the run: the learning rate η at each step, and the steps after which "
            "a draw is saved (marks). Nothing is saved where the background is shaded: during burn-in, while a chain "
            "moves away from its start, or during the part of each cycle in which cyclical SGLD moves to another "
            "mode without noise. For a chain η sets the size of a step: with N training points Langevin's ε is 2η/N "
            "and SGHMC's is η/N. The noise is √(2ηT/N) times a standard normal, so smaller steps have less noise. If "
            "the step size decays to 0, the last draws hardly differ. All chains of a run share the schedule. "
            "Sources: Welling and Teh 2011 for decaying steps; Zhang et al. 2020 for cycles.",
        .cost         = Cost::quick,
        .when_pruned  = WhenPruned::whole,
        .many_targets = ManyTargets::all,
        .why_not      = why_no_schedule,
        .make         = make_schedule};
}

}   // namespace credence
