// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/mean_field.h"

#include "methods/trained.h"

namespace credence {

using namespace method_parts;

/// A mean and a spread for every weight, trained with the ELBO. Images: a tenth of its KL, and
/// Adam, since with momentum the spreads would hardly change.
Method mean_field_method()
{
    return {.id     = "mean_field",
            .title  = "Mean field (Bayes by Backprop)",
            .hint   = "A mean and a spread for every weight: the standard first choice.",
            .group  = MethodGroup::variational,
            .cost   = "1 to 2 × a point estimate",
            .source = "Blundell et al. 2015",
            .fields = {initial_sd_field()},
            .usual  = [](const Study& study) -> std::vector<UsualSetting> {
                if (!is_images(study.data.source))
                    return {{"posterior.initial_sd", "0.05"}, {"prior.weight_sd", "0.5"},
                            {"prior.bias_sd", "2"},           {"training.kl_weighting", "uniform"},
                            {"training.kl_weight", "1"},      {"training.learning_rate", "0.01"}};
                return {
                    {"posterior.initial_sd", "0.04"},     {"prior.weight_sd", "1"},      {"prior.bias_sd", "1"},
                    {"training.kl_weighting", "uniform"}, {"training.kl_weight", "0.1"}, {"training.optimizer", "adam"},
                    {"training.learning_rate", "0.001"}};
            },
            .training = {.prior = PriorUse::kl, .accepts_new_points = true},
            .start    = begins_with<MeanField<float>>,
            .fit      = trained,
            .online   = trains_online};
}

}   // namespace credence
