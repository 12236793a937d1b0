// SPDX-License-Identifier: GPL-3.0-or-later
#include "methods/chain_settings.h"
#include "methods/hamiltonian_run.h"
#include "study/field_makers.h"

namespace credence {

using namespace method_parts;

namespace {

constexpr auto leapfrog_steps = "posterior.leapfrog_steps", jitter = "posterior.step_size_jitter";

std::vector<Field> hmc_fields()
{
    auto fields = hamiltonian_fields();
    fields.push_back(field_makers::own(
        {.path  = leapfrog_steps,
         .label = "Leapfrog steps L",
         .help  = "Steps per trajectory; each costs a gradient. Too few give a random walk; with too many, "
                  "trajectories return to their start.",
         .min   = 1,
         .max   = 100000},
        32L));
    fields.push_back(field_makers::own(
        {.path  = jitter,
         .label = "Jitter of the step size",
         .help =
             "Each trajectory uses a random step size between ε(1 − j) and ε(1 + j), so that trajectories do not keep "
             "returning to their start.",
         .min      = 0,
         .max      = 1,
         .max_open = true,
         .advanced = true},
        0.1));
    return fields;
}

Training fit_hmc(const Experiment& experiment, std::stop_token stop, TrainingControl* control,
                 const TrainingEvents& events)
{
    return run_hamiltonian(experiment,
                           HmcOptions{.steps            = static_cast<int>(count_of(experiment.study, leapfrog_steps)),
                                      .step_size_jitter = number_of(experiment.study, jitter)},
                           stop, control, events);
}

}   // namespace

/// Hamiltonian Monte Carlo with trajectories of fixed length (Neal 2011).
Method hmc_method()
{
    Method method                = hamiltonian_method();
    method.id                    = "hmc";
    method.title                 = "HMC (fixed trajectory length)";
    method.hint                  = "Like NUTS, but you choose the trajectory length and see its effect.";
    method.group                 = MethodGroup::sampling;
    method.cost                  = "all rows, one gradient for each step of a trajectory";
    method.source                = "Neal 2011";
    method.short_title           = "HMC";
    method.is_named_for_a_person = true;
    method.fields                = hmc_fields();
    method.fit                   = fit_hmc;
    return method;
}

}   // namespace credence
