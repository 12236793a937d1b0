// SPDX-License-Identifier: GPL-3.0-or-later
#include "methods/chain_settings.h"
#include "methods/chains.h"

namespace credence {

using namespace method_parts;

namespace {

Training fit_sgld(const Experiment& experiment, std::stop_token stop, TrainingControl* control,
                  const TrainingEvents& events)
{
    return run_chains(experiment, chains_of(experiment, {.kind = LangevinKind::sgld}), stop, control, events);
}

}   // namespace

/// Gradient descent with noise of the size of its step (Welling and Teh 2011).
Method sgld_method()
{
    return {.id          = "sgld",
            .title       = "SGLD (Langevin dynamics)",
            .hint        = "Noise is added to each step of gradient descent: the plainest chain, and a slow one.",
            .short_title = "SGLD",
            .is_named_for_a_person = true,
            .fields                = chain_fields(),
            .usual                 = [](const Study& study) { return usual_of_chains("0.05", "0.01", study); },
            .training_noise        = NoiseIn::nothing,
            .takes_any_prior       = true,
            .has_prior             = true,
            .has_own_steps         = true,
            .ends_with_draws       = true,
            .start                 = begins_as_chain,
            .refuses               = refusal_of_chains,
            .steps                 = steps_of_chains,
            .fit                   = fit_sgld};
}

}   // namespace credence
