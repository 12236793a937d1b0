// SPDX-License-Identifier: GPL-3.0-or-later
#include "methods/chain_settings.h"
#include "methods/chains.h"
#include "methods/trained.h"
#include "study/field_makers.h"

namespace credence {

using namespace method_parts;

namespace {

constexpr auto members = "posterior.members";

std::vector<Field> ensemble_fields()
{
    return {field_makers::own(
        {.path  = members,
         .label = "Members R",
         .help  = "Networks trained in parallel on all cores, each for the number of steps set by Steps, with its own "
                  "starting weights and minibatches. 5 in Lakshminarayanan et al. 2017; more than 10 add little.",
         .min   = 2,
         .max   = 1000},
        5L)};
}

Training fit_ensemble(const Experiment& experiment, std::stop_token stop, TrainingControl* control,
                      const TrainingEvents& events)
{
    Chains chains;
    chains.count   = static_cast<int>(count_of(experiment.study, members));
    chains.options = experiment.study.training;
    chains.one     = "member";
    return run_chains(experiment, chains, stop, control, events);
}

}   // namespace

/// Point estimates from several starts, used as samples (Lakshminarayanan et al. 2017).
Method deep_ensemble_method()
{
    return {.id     = "deep_ensemble",
            .title  = "Deep ensemble",
            .hint   = "Several ordinary networks trained from different starts: simple, expensive and hard to beat.",
            .group  = MethodGroup::baselines,
            .cost   = "one point estimate for each member, in parallel",
            .source = "Lakshminarayanan et al. 2017",
            .axis_title = "Ensemble",
            .fields     = ensemble_fields(),
            .usual      = [](const Study& study) -> std::vector<UsualSetting> {
                if (!is_images(study.data.source))
                    return {{"training.l2", "0.0001"}, {"training.learning_rate", "0.01"}};
                return with(image_optimiser(), {{"training.l2", "0.0005"}});
            },
            .posterior = {.is_sample_set = true},
            .training  = {.noise = NoiseIn::nothing},
            .start     = begins_with_point,
            .refuses =
                [](const Experiment& experiment) {
        return refusal_of_draws(experiment, count_of(experiment.study, members), members);
            },
            .steps = [](const Study& study) { return count_of(study, members) * study.training.steps; },
            .fit   = fit_ensemble,
            .online =
                [](const Study& study) { return OnlineTraining{.nets = static_cast<int>(count_of(study, members))}; }};
}

}   // namespace credence
