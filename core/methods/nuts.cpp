// SPDX-License-Identifier: GPL-3.0-or-later
#include "methods/chain_settings.h"
#include "methods/hamiltonian_run.h"
#include "study/field_makers.h"

namespace credence {

using namespace method_parts;

namespace {

constexpr auto depth_limit = "posterior.depth_limit";

std::vector<Field> nuts_fields()
{
    auto fields = hamiltonian_fields();
    fields.push_back(field_makers::own(
        {.path  = depth_limit,
         .label = "Depth limit",
         .help =
             "Largest number of doublings of a trajectory: 10 allows 1,023 steps. Trajectories that reach the limit "
             "are cut short, although they cost the most.",
         .min      = 1,
         .max      = 20,
         .advanced = true},
        10L));
    return fields;
}

Training fit_nuts(const Experiment& experiment, std::stop_token stop, TrainingControl* control,
                  const TrainingEvents& events)
{
    return run_hamiltonian(experiment,
                           NutsOptions{.depth_limit = static_cast<int>(count_of(experiment.study, depth_limit))}, stop,
                           control, events);
}

}   // namespace

/// Samples the true posterior of a small network with several chains of the No-U-Turn Sampler
/// (Hoffman and Gelman 2014; Betancourt 2017).
Method nuts_method()
{
    Method method      = hamiltonian_method();
    method.id          = "nuts";
    method.title       = "NUTS (reference posterior)";
    method.hint        = "Chains whose draws follow the exact posterior once they have converged. For small networks.";
    method.group       = MethodGroup::sampling;
    method.cost        = "all rows, up to 1,023 gradients for each draw";
    method.source      = "Hoffman and Gelman 2014";
    method.short_title = "NUTS";
    method.is_named_for_a_person = true;
    method.fields                = nuts_fields();
    method.fit                   = fit_nuts;
    return method;
}

}   // namespace credence
