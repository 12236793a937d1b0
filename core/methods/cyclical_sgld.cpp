// SPDX-License-Identifier: GPL-3.0-or-later
#include "methods/chain_settings.h"
#include "methods/chains.h"
#include "study/field_makers.h"

#include <algorithm>
#include <cmath>

namespace credence {

using namespace method_parts;

namespace {

constexpr auto cycles = "posterior.cycles", noisy_share = "posterior.noisy_share";

std::vector<Field> cyclical_fields()
{
    return {
        field_makers::own(
            {.path  = cycles,
             .label = "Cycles",
             .help =
                 "In each cycle the learning rate decays from η to 0 along a cosine, ½η(1 + cos(π k/C)) at step k of "
                 "C, and then restarts: large steps leave a mode, small steps sample the mode that the chain has "
                 "reached (Zhang et al. 2020, (1)).",
             .min = 1,
             .max = 10000},
            4L),
        field_makers::own(
            {.path  = noisy_share,
             .label = "Sampling part of a cycle",
             .help =
                 "The final part of each cycle, in which noise is added and draws are kept. Before it, the chain is "
                 "plain gradient descent towards a mode. About 0.2 in Zhang et al. 2020.",
             .min      = 0,
             .max      = 1,
             .min_open = true},
            0.25),
        chains_field(),
        kept_draws_field(),
        start_field(),
        warm_up_field(),
        temperature_field()};
}

ScheduleOptions schedule_of_cycles(const Study& study)
{
    ScheduleOptions schedule = study.training.schedule;
    schedule.kind            = ScheduleKind::cyclical;
    schedule.cycles          = static_cast<int>(count_of(study, cycles));
    return schedule;
}

/// The same number of draws from the sampling part of every cycle, evenly spaced and including the
/// last step of the cycle.
RunPlan plan_of_cycles(const Study& study)
{
    const long steps = study.training.steps, n_cycles = count_of(study, cycles);
    const long length = cycle_length(static_cast<int>(n_cycles), steps);
    const long each   = std::max(1L, count_of(study, "posterior.kept_draws") / n_cycles);
    const auto quiet  = static_cast<long>(std::ceil((1 - number_of(study, noisy_share)) * static_cast<double>(length)));
    RunPlan plan      = plan_of_chains(study, {});
    plan.schedule     = schedule_of_cycles(study);
    plan.quiet_words  = "exploring without noise";
    plan.quiet.clear();
    for (long begin = 0; begin < steps; begin += length) {
        const long end = std::min(begin + length, steps);
        plan.quiet.emplace_back(begin, std::min(begin + quiet, end));
        if (begin + quiet < end) {
            const auto more = evenly_kept(begin + quiet, end, each);
            plan.kept.insert(plan.kept.end(), more.begin(), more.end());
        }
    }
    return plan;
}

std::optional<Error> refusal_of_cyclical(const Experiment& experiment)
{
    const auto& study = experiment.study;
    const auto each   = static_cast<long>(plan_of_cycles(study).kept.size());
    if (each == 0)
        return Error(noisy_share, "posterior.noisy_share of " + std::to_string(study.training.steps)
                                      + " steps gives less than one step per cycle; expected a larger share.");
    return refusal_of_draws(experiment, each * count_of(study, "posterior.chains"), "posterior.kept_draws");
}

Training fit_cyclical(const Experiment& experiment, std::stop_token stop, TrainingControl* control,
                      const TrainingEvents& events)
{
    const auto& study       = experiment.study;
    const auto n_cycles     = static_cast<int>(count_of(study, cycles));
    auto chains             = chains_of(experiment, {.kind        = LangevinKind::sgld,
                                                     .cycle       = cycle_length(n_cycles, study.training.steps),
                                                     .noisy_share = number_of(study, noisy_share)});
    chains.options.schedule = schedule_of_cycles(study);
    chains.kept             = plan_of_cycles(study).kept;
    chains.draws            = chains.kept.size();
    return run_chains(experiment, chains, stop, control, events);
}

}   // namespace

/// SGLD with a cyclical step size and noise in the last part of each cycle (Zhang et al. 2020).
Method cyclical_sgld_method()
{
    Method method                = chain_method();
    method.id                    = "cyclical_sgld";
    method.title                 = "Cyclical SGLD";
    method.hint                  = "Langevin dynamics with a cyclical step size: finds several modes in one chain.";
    method.group                 = MethodGroup::sampling;
    method.cost                  = "about 1 × a point estimate per step, and more steps";
    method.source                = "Zhang et al. 2020";
    method.fields                = cyclical_fields();
    method.usual                 = [](const Study& study) { return usual_of_chains("0.2", "0.05", study); };
    method.training.own_schedule = true;
    method.refuses               = refusal_of_cyclical;
    method.training.moves_by_gradient = true;
    method.plan                       = plan_of_cycles;
    method.fit                        = fit_cyclical;
    return method;
}

}   // namespace credence
