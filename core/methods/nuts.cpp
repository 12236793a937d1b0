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
             "A trajectory is doubled at most so often: 10 allows 1,023 steps. Trajectories that reach the limit cost the most and were cut short.",
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

/// The true posterior of a small net, by several chains of the No-U-Turn Sampler (Hoffman and Gelman 2014; Betancourt 2017).
Method nuts_method()
{
    return {.id                    = "nuts",
            .title                 = "NUTS (the true posterior)",
            .hint                  = "Chains that walk the posterior itself: nothing is approximated. For small nets.",
            .short_title           = "NUTS",
            .is_named_for_a_person = true,
            .fields                = nuts_fields(),
            .usual                 = usual_of_hamiltonian,
            .training_noise        = NoiseIn::nothing,
            .takes_any_prior       = true,
            .has_prior             = true,
            .has_own_steps         = true,
            .has_own_schedule      = true,
            .sees_all_rows         = true,
            .ends_with_draws       = true,
            .start                 = begins_as_chain,
            .refuses               = refusal_of_hamiltonian,
            .steps                 = transitions_of,
            .fit                   = fit_nuts,
            .caption               = caption_of_chains,
            .kept                  = kept_statistics(),
            .results               = add_chain_results};
}

}   // namespace credence
