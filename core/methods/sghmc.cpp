// SPDX-License-Identifier: GPL-3.0-or-later
#include "methods/chain_settings.h"
#include "methods/chains.h"
#include "study/field_makers.h"

namespace credence {

using namespace method_parts;

namespace {

constexpr auto friction = "posterior.friction", gradient_noise = "posterior.gradient_noise";

std::vector<Field> sghmc_fields()
{
    auto all = chain_fields();
    all.push_back(field_makers::own(
        {.path  = friction,
         .label = "Friction α",
         .help =
             "v ← (1 − α)v − η∇Ū + √(2(α − β̂)ηT/N) ξ, θ ← θ + v with the new v (Chen et al. 2014, (15)). Friction α "
             "is momentum 1 − α: 0.1 here is called momentum 0.9 by optimisers, and papers that write “momentum 0.1” "
             "may mean either. With little friction the chain moves far before it turns; 1 is Langevin dynamics.",
         .min      = 0,
         .max      = 1,
         .min_open = true},
        0.1));
    all.push_back(field_makers::own(
        {.path  = gradient_noise,
         .label = "Noise of the gradient β̂",
         .help =
             "The part of the friction's noise that minibatches already contribute, below α; the added noise is "
             "reduced accordingly. For gradient noise of variance V of the whole potential U it is ηV/(2N). With 0 all "
             "the noise is added, and the temperature is slightly too high (Chen et al. 2014, section 3.3).",
         .min      = 0,
         .max      = 1,
         .max_open = true,
         .advanced = true},
        0.0));
    return all;
}

std::optional<Error> refusal_of_sghmc(const Experiment& experiment)
{
    const double alpha = number_of(experiment.study, friction), estimate = number_of(experiment.study, gradient_noise);
    if (estimate >= alpha)
        return Error(gradient_noise, "posterior.gradient_noise is " + value_text(estimate)
                                         + ", expected less than posterior.friction, which is " + value_text(alpha)
                                         + ".");
    return refusal_of_chains(experiment);
}

LangevinOptions langevin_of_sghmc(const Study& study)
{
    return {.kind              = LangevinKind::sghmc,
            .friction          = number_of(study, friction),
            .noise_of_gradient = number_of(study, gradient_noise)};
}

}   // namespace

/// Gradient descent with momentum, friction and noise (Chen et al. 2014).
Method sghmc_method()
{
    Method method = langevin_method(langevin_of_sghmc);
    method.id     = "sghmc";
    method.title  = "SGHMC (stochastic-gradient Hamiltonian Monte Carlo)";
    method.hint =
        "Momentum with friction and noise: moves further between two draws than Langevin dynamics. The first chain to "
        "try.";
    method.group                      = MethodGroup::sampling;
    method.cost                       = "about 1 × a point estimate per step, and more steps";
    method.source                     = "Chen et al. 2014";
    method.short_title                = "SGHMC";
    method.is_named_for_a_person      = true;
    method.fields                     = sghmc_fields();
    method.usual                      = [](const Study& study) { return usual_of_chains("0.01", "0.001", study); };
    method.refuses                    = refusal_of_sghmc;
    method.training.moves_by_gradient = true;
    return method;
}

}   // namespace credence
