// SPDX-License-Identifier: GPL-3.0-or-later
#include "methods/chain_settings.h"
#include "methods/chains.h"

namespace credence {

using namespace method_parts;

/// Gradient descent with noise scaled to its step size (Welling and Teh 2011).
Method sgld_method()
{
    Method method      = langevin_method([](const Study&) -> LangevinOptions { return {.kind = LangevinKind::sgld}; });
    method.id          = "sgld";
    method.title       = "SGLD (Langevin dynamics)";
    method.hint        = "Adds noise to each step of gradient descent: the simplest chain, but a slow one.";
    method.group       = MethodGroup::sampling;
    method.cost        = "about 1 × a point estimate per step, and more steps";
    method.source      = "Welling and Teh 2011";
    method.short_title = "SGLD";
    method.is_named_for_a_person      = true;
    method.usual                      = [](const Study& study) { return usual_of_chains("0.05", "0.01", study); };
    method.training.moves_by_gradient = true;
    return method;
}

}   // namespace credence
