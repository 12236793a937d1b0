// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/swag.h"

#include "foundation/statistics.h"
#include "methods/chain_settings.h"
#include "methods/trained.h"
#include "posterior/sample_set.h"
#include "runs/experiment.h"
#include "study/field_makers.h"
#include "training/checkpoint.h"

#include <algorithm>

namespace credence {

using namespace method_parts;

namespace {

constexpr auto iterates = "posterior.iterates", rank = "posterior.swag_rank", structure = "posterior.swag_structure",
               swag_scale = "posterior.swag_scale", swag_draws = "posterior.swag_draws";

bool has_low_rank(const Study& study) { return name_of(study, structure) == "low_rank"; }

std::vector<Field> swag_fields()
{
    return {
        field_makers::own(
            {.path  = structure,
             .label = "Structure of Σ",
             .help = "Covariance of the Gaussian around the mean w̄ of the iterates: their variances alone, or half of "
                     "these plus half of the covariance of the last deviations from the mean "
                     "(Maddox et al. 2019).",
             .choices = {{"low_rank", "Low rank and diagonal",
                          "Captures the directions in which the iterates vary together. The default."},
                         {"diagonal", "Diagonal", "Each weight by itself: less memory."}}},
            std::string("low_rank")),
        burn_in_field(),
        field_makers::own(
            {.path  = iterates,
             .label = "Iterates",
             .help  = "Training states whose mean and variances are computed, evenly spaced over the steps after the "
                      "burn-in. The learning rate should be constant then, and large enough to explore the valley. "
                      "Once per epoch in Maddox et al. 2019.",
             .min   = 2,
             .max   = 1e6},
            50L),
        field_makers::own(
            {.path  = rank,
             .label = "Deviations R",
             .help =
                 "The last R deviations w_i − w̄_i of the iterates from their running mean. 20 in Maddox et al. 2019.",
             .min     = 2,
             .max     = 1000,
             .applies = has_low_rank},
            20L),
        field_makers::own({.path  = swag_scale,
                           .label = "Scale s",
                           .help = "Multiplies the deviations of the samples from the mean: w = w̄ + s(Σ_diag^½ ξ₁/√2 "
                                   "+ D̂ξ₂/√(2(R − 1))). 1 is the derivation of Maddox et al. 2019; their code uses "
                                   "0.5.",
                           .min = 0,
                           .max = 100},
                          1.0),
        field_makers::own({.path  = swag_draws,
                           .label = "Draws",
                           .unit  = "samples",
                           .help  = "Weight samples from the Gaussian that make up the posterior.",
                           .min   = 2,
                           .max   = 10000},
                          50L)};
}

/// The current Gaussian as a sample set, updated after each new iterate.
class SwagDraws {
public:
    explicit SwagDraws(const Experiment& experiment)
        : experiment_(experiment), scale_(number_of(experiment.study, swag_scale)),
          n_draws_(static_cast<std::size_t>(count_of(experiment.study, swag_draws))),
          moments_(experiment.start->layout().size(),
                   has_low_rank(experiment.study) ? static_cast<std::size_t>(count_of(experiment.study, rank)) : 0)
    {}

    void add(std::span<const float> weights)
    {
        moments_.add(weights);
        set_.reset();
    }
    void serialise(StateBytes& state)
    {
        moments_.serialise(state);
        set_.reset();
    }
    long count() const { return moments_.count(); }

    /// Returns the current sample set; null if there are fewer than two iterates.
    std::shared_ptr<const SampleSet> set()
    {
        if (set_ || count() < 2)
            return set_;
        const auto& layout = experiment_.start->layout();
        aligned_vector<float> draws(n_draws_ * layout.size());
        for (std::size_t i = 0; i < n_draws_; ++i)
            moments_.draw({experiment_.study.seed, Stream::samplers, static_cast<std::uint32_t>(i)}, scale_,
                          std::span(draws).subspan(i * layout.size(), layout.size()));
        return set_ = std::make_shared<SampleSet>(layout, std::move(draws));
    }

private:
    const Experiment& experiment_;
    double scale_;
    std::size_t n_draws_;
    SwagMoments moments_;
    std::shared_ptr<const SampleSet> set_;
};

RunPlan plan_of_swag(const Study& study)
{
    return {.steps      = study.training.steps,
            .quiet      = {{0, burn_in_of(study)}},
            .kept       = kept_steps(study, count_of(study, iterates)),
            .schedule   = study.training.schedule,
            .kept_words = "iterates averaged"};
}

Training fit_swag(const Experiment& experiment, std::stop_token stop, TrainingControl* control,
                  const TrainingEvents& events)
{
    SwagDraws draws(experiment);
    const auto kept = kept_steps(experiment.study, count_of(experiment.study, iterates));
    const Checkpoint::Part part(events.checkpoint, "iterates", [&](StateBytes& state) { draws.serialise(state); });
    const auto trainer = experiment.make_trainer();
    trainer->set_hooks({.after_step =
                            [&](long step, const VariationalFamily<float>& now) {
        if (std::binary_search(kept.begin(), kept.end(), step) && all_finite(now.means()))
            draws.add(now.means());
                        },
                        .shown = [&](const VariationalFamily<float>&) { return draws.set(); }});
    Training run;
    run.report  = trainer->run(stop, control, events);
    run.history = trainer->history();
    run.report.message += draws.count() < 2 ? std::string(" No Gaussian was fitted; the result is the point estimate.")
                                            : " Iterates averaged: " + std::to_string(draws.count()) + ".";
    return run;
}

std::optional<Error> refusal_of_swag(const Experiment& experiment)
{
    if (auto refusal = refusal_of_draws(experiment, count_of(experiment.study, swag_draws), swag_draws))
        return refusal;
    return has_low_rank(experiment.study) ? refusal_of_draws(experiment, count_of(experiment.study, rank), rank)
                                          : std::nullopt;
}

}   // namespace

/// Samples from the Gaussian of the iterates of a point estimate during training (Maddox et al.
/// 2019).
Method swag_method()
{
    return {.id          = "swag",
            .title       = "SWAG (Gaussian of the iterates)",
            .hint        = "Averages the iterates of an ordinary training run: a Gaussian for the cost of one network.",
            .group       = MethodGroup::post_hoc,
            .cost        = "about 1 × a point estimate",
            .source      = "Maddox et al. 2019",
            .short_title = "SWAG",
            .is_named_for_a_person = true,
            .fields                = swag_fields(),
            .usual                 = [](const Study& study) -> std::
                                                vector<UsualSetting> {
        if (!is_images(study.data.source))
            return {{"training.l2", "0.0001"}, {"training.optimizer", "momentum"}, {"training.learning_rate", "0.05"}};
        return with(image_optimiser(), {{"training.l2", "0.0005"}});
            },
            .posterior = {.is_sample_set = true},
            .training  = {.noise = NoiseIn::nothing},
            .start     = begins_with_point,
            .refuses   = refusal_of_swag,
            .plan      = plan_of_swag,
            .fit       = fit_swag};
}

}   // namespace credence
