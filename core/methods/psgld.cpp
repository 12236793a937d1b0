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
         .help = "V ← αV + (1 − α)ḡ², ḡ the gradient of the mean loss. With a larger α, the step size of each weight "
                 "adapts more slowly to its gradient. 0.99 in Li et al. 2016.",
         .min      = 0,
         .max      = 1,
         .max_open = true,
         .advanced = true},
        0.99));
    all.push_back(field_makers::own(
        {.path  = "posterior.rms_floor",
         .label = "Floor λ of the root",
         .help =
             "D = 1/(λ + √V) multiplies step and noise: weights whose gradient has vanished move with step size 1/λ. "
             "10⁻⁵ in Li et al. 2016; a larger value, such as 0.001, keeps the weights of dead units from drifting.",
         .min      = 0,
         .max      = 1000,
         .min_open = true,
         .advanced = true},
        1e-5));
    all.push_back(field_makers::own(
        {.path  = "posterior.curvature_term",
         .label = "With the term Γ",
         .help =
             "Γ = ∂D/∂θ. Without this term, a step size that depends on the position biases the chain towards small "
             "steps. Li et al. 2016 omit it, since it is of order 1 − α. Here the squared gradients replace the second "
             "derivative in it.",
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

}   // namespace

/// SGLD with a separate step size for each weight, chosen as in RMSprop (Li et al. 2016).
Method psgld_method()
{
    Method method = langevin_method(langevin_of_psgld);
    method.id     = "psgld";
    method.title  = "pSGLD (preconditioned Langevin dynamics)";
    method.hint =
        "Langevin dynamics with a step size per weight: for networks whose layers have gradients of different sizes.";
    method.group                 = MethodGroup::sampling;
    method.cost                  = "about 1 × a point estimate per step, and more steps";
    method.source                = "Li et al. 2016";
    method.short_title           = "pSGLD";
    method.is_named_for_a_person = true;
    method.fields                = psgld_fields();
    method.usual                 = [](const Study& study) { return usual_of_chains("0.001", "0.0001", study); };
    method.online                = [](const Study& study) {
        auto online = online_chain(study, langevin_of_psgld(study));
        // With one row, the prior changes a weight without a gradient by the fraction η/(λσ²) of
        // its value in each step. With the usual floor λ the weight would diverge.
        online.usual = {{"posterior.rms_floor", "0.01"}};
        return online;
    };
    return method;
}

}   // namespace credence
