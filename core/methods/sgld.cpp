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

/// Gradient descent with noise scaled to its step size (Welling and Teh 2011).
Method sgld_method()
{
    Method method                = chain_method();
    method.id                    = "sgld";
    method.title                 = "SGLD (Langevin dynamics)";
    method.hint                  = "Adds noise to each step of gradient descent: the simplest chain, but a slow one.";
    method.short_title           = "SGLD";
    method.is_named_for_a_person = true;
    method.fields                = chain_fields();
    method.usual                 = [](const Study& study) { return usual_of_chains("0.05", "0.01", study); };
    method.training.moves_by_gradient = true;
    method.fit                        = fit_sgld;
    method.online = [](const Study& study) { return online_chain(study, {.kind = LangevinKind::sgld}); };
    return method;
}

}   // namespace credence
