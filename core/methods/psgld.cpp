// SPDX-License-Identifier: GPL-3.0-or-later
#include "methods/chain_settings.h"
#include "methods/chains.h"
#include "study/field_makers.h"

namespace credence {

using namespace method_parts;

namespace {

std::vector<Field> psgld_fields()
{
    auto all = chain_fields();
    all.push_back(field_makers::own(
        {.path  = "posterior.rms_decay",
         .label = "Memory α of the squares",
         .help =
             "V = αV + (1−α)ḡ², ḡ the gradient of the mean loss: how slowly the size of each weight's step follows its gradient. 0.99 in Li et al. 2016.",
         .min      = 0,
         .max      = 1,
         .max_open = true,
         .advanced = true},
        0.99));
    all.push_back(field_makers::own(
        {.path  = "posterior.rms_floor",
         .label = "Floor λ of the root",
         .help =
             "D = 1/(λ + √V) multiplies step and noise: weights whose gradient has vanished move with 1/λ. 10⁻⁵ in Li et al. 2016; a larger one, such as 0.001, keeps the "
             "weights of dead units from wandering off.",
         .min      = 0,
         .max      = 1000,
         .min_open = true,
         .advanced = true},
        1e-5));
    all.push_back(field_makers::own(
        {.path  = "posterior.curvature_term",
         .label = "With the term Γ",
         .help =
             "Γ = ∂D/∂θ, without which a step that depends on the place pulls the chain to where it is small. Li et al. 2016 leave it out, as it is of the order 1 − α. Here "
             "the squares of the gradients stand for the second derivative in it.",
         .advanced = true},
        false));
    return all;
}

LangevinOptions langevin_of_psgld(const Study& study)
{
    return {.kind           = LangevinKind::psgld,
            .rms_decay      = number_of(study, "posterior.rms_decay"),
            .rms_floor      = number_of(study, "posterior.rms_floor"),
            .curvature_term = flag_of(study, "posterior.curvature_term")};
}

Training fit_psgld(const Experiment& experiment, std::stop_token stop, TrainingControl* control,
                   const TrainingEvents& events)
{
    return run_chains(experiment, chains_of(experiment, langevin_of_psgld(experiment.study)), stop, control, events);
}

}   // namespace

/// SGLD with a step of its own for each weight, as RMSprop chooses it (Li et al. 2016).
Method psgld_method()
{
    Method method = chain_method();
    method.id     = "psgld";
    method.title  = "pSGLD (preconditioned Langevin dynamics)";
    method.hint =
        "Langevin dynamics with a step for each weight: for nets whose layers have gradients of different size.";
    method.short_title           = "pSGLD";
    method.is_named_for_a_person = true;
    method.fields                = psgld_fields();
    method.usual                 = [](const Study& study) { return usual_of_chains("0.001", "0.0001", study); };
    method.fit                   = fit_psgld;
    method.online                = [](const Study& study) {
        auto online = online_chain(study, langevin_of_psgld(study));
        // Given one row the prior's pull on a weight without a gradient is η/(λσ²) of the weight itself: with the usual floor it would run away.
        online.usual = {{"posterior.rms_floor", "0.01"}};
        return online;
    };
    return method;
}

}   // namespace credence
