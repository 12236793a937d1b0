// SPDX-License-Identifier: GPL-3.0-or-later
#include "methods/trained.h"

#include "posterior/point_estimate.h"
#include "runs/experiment.h"
#include "study/field_makers.h"

namespace credence::method_parts {

Training trained(const Experiment& experiment, std::stop_token stop, TrainingControl* control,
                 const TrainingEvents& events)
{
    const auto trainer = experiment.make_trainer();
    Training run;
    run.report  = trainer->run(stop, control, events);
    run.history = trainer->history();
    return run;
}

std::unique_ptr<VariationalFamily<float>> begins_with_point(const ParameterLayout& layout, const PosteriorOptions&,
                                                            std::span<const float> means)
{
    return std::make_unique<PointEstimate<float>>(layout, means);
}

std::vector<UsualSetting> with(std::vector<UsualSetting> first, const std::vector<UsualSetting>& more)
{
    first.insert(first.end(), more.begin(), more.end());
    return first;
}

std::vector<UsualSetting> image_optimiser()
{
    return {{"training.optimizer", "momentum"}, {"training.learning_rate", "0.01"}};
}

Field initial_sd_field()
{
    return field_makers::plain(
        {.path  = "posterior.initial_sd",
         .label = "Starting σ",
         .help =
             "Initial standard deviation of every weight; σ = softplus(pre-softplus σ) is then learned (Blundell et "
             "al. 2015, section 3.2). Small values (0.01 to 0.1) initially train like an ordinary network; large ones "
             "drown the gradient in noise.",
         .min      = 0,
         .max      = 10,
         .min_open = true},
        [](auto& s) -> auto& { return s.posterior.initial_sd; });
}

std::vector<Field> scale_fields()
{
    using field_makers::plain;
    const auto guards_spread = [](const Study& s) { return s.posterior.guard_spread; };
    return {
        plain(
            {.path  = "posterior.initial_tau",
             .label = "Starting τ",
             .help =
                 "Initial relative spread, w = m(1 + τε): one number per block in the order weights, biases, weights, "
                 "biases, …; a shorter list repeats its last pair. τ = softplus(δ) is learned. Steinbrener et al. 2020 "
                 "start with 0.4 for weights and 0.1 for biases; the closed form is their (11)–(31).",
             .min      = 0,
             .max      = 10,
             .min_open = true},
            [](auto& s) -> auto& { return s.posterior.initial_tau; }),
        plain(
            {.path  = "posterior.guard_spread",
             .label = "Keep τ and means away from 0",
             .help = "Keeps τ ≥ 0.01 (δ ≥ −4.600166), |γ| ≤ 10 and |m| ≥ 10⁻⁶ (Posch and Pilz, pseudocode lines 7–25). "
                     "The KL needs m ≠ 0 and τ > 0: its gradient contains −1/m and −K/τ. The next two settings change "
                     "the limits of δ and |m|; switch this off to remove all three.",
             .advanced = true},
            [](auto& s) -> auto& { return s.posterior.guard_spread; }),
        plain(
            {.path  = "posterior.guard_delta",
             .label = "Smallest δ",
             .help = "Lower limit of δ, where τ = softplus(δ). −4.600166 is τ ≥ 0.01 (Posch and Pilz). −10 is τ ≥ "
                     "4.54·10⁻⁵: four printed τ of Steinbrener et al. 2020 end there (Tables 3 and 4), although their "
                     "text states no limit. −80 means no limit in practice.",
             .min                = -80,
             .max                = 10,
             .advanced           = true,
             .written_if_changed = true,
             .applies            = guards_spread},
            [](auto& s) -> auto& { return s.posterior.guard_delta; }),
        plain(
            {.path  = "posterior.guard_mean",
             .label = "Smallest |m|",
             .help = "A mean closer to 0 is moved to this distance, with a random sign (Posch and Pilz: 10⁻⁶). The "
                     "gradient of the KL contains −1/m, which is unbounded without this limit. 0 means no limit.",
             .min  = 0,
             .max  = 1,
             .advanced           = true,
             .written_if_changed = true,
             .applies            = guards_spread},
            [](auto& s) -> auto& { return s.posterior.guard_mean; })};
}

std::vector<UsualSetting> usual_of_scales(const Study& study)
{
    // Uniform weighting with factor 0.01 is ν = 1/(100 N) relative to the mean loss.
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
