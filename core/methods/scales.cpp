// SPDX-License-Identifier: GPL-3.0-or-later
#include "methods/scales.h"

#include "methods/trained.h"
#include "study/field_makers.h"

namespace credence::method_parts {

Field initial_sd_field()
{
    return field_makers::plain(
        {.path  = "posterior.initial_sd",
         .label = "Starting σ",
         .help =
             "Standard deviation of every weight at the start; σ = softplus(pre-softplus σ) is learned from there (Blundell et al. 2015, section "
             "3.2). Small values (0.01 to 0.1) train like a plain net at first; large ones drown the gradient in noise.",
         .min      = 0,
         .max      = 10,
         .min_open = true},
        [](auto& s) -> auto& { return s.posterior.initial_sd; });
}

std::vector<Field> scale_fields()
{
    using field_makers::plain;
    return {
        plain(
            {.path  = "posterior.initial_tau",
             .label = "Starting τ",
             .help =
                 "Relative spread at the start, w = m(1 + τε): one number a block in the order weights, biases, weights, biases, …; a shorter list repeats its last "
                 "pair. τ = softplus(δ) is learned. Steinbrener et al. 2020 start with 0.4 for weights and 0.1 for biases; the closed form is (11)–(31) there.",
             .min      = 0,
             .max      = 10,
             .min_open = true},
            [](auto& s) -> auto& { return s.posterior.initial_tau; }),
        plain(
            {.path  = "posterior.guard_spread",
             .label = "Keep τ and means away from 0",
             .help =
                 "Keeps τ ≥ 0.01 (δ ≥ −4.600166), |γ| ≤ 10 and |m| ≥ 10⁻⁶ (Posch and Pilz, pseudocode lines 7–25). The KL needs m ≠ 0 and τ > 0: its "
                 "gradient holds −1/m and −K/τ.",
             .advanced = true},
            [](auto& s) -> auto& { return s.posterior.guard_spread; })};
}

std::vector<UsualSetting> usual_of_scales(const Study& study)
{
    // Uniform weights with the factor 0.01 are ν = 1/(100 N) beside the mean loss.
    const std::vector<UsualSetting> prior{{"prior.weight_sd", "1"},
                                          {"prior.bias_sd", "1"},
                                          {"training.kl_weighting", "uniform"},
                                          {"training.kl_weight", "0.01"}};
    if (!is_images(study.data.source))
        return with(prior, {{"posterior.initial_tau", "0.4, 0.1"}, {"training.learning_rate", "0.003"}});
    const bool lenet = study.network.kind == NetworkKind::lenet_caffe;
    return with(with(image_optimiser(), prior),
                {{"posterior.initial_tau", lenet ? "0.4, 0.1, 0.4, 0.1, 1, 0.2, 0.4, 0.1" : "0.4, 0.1"}});
}

}   // namespace credence::method_parts
