// SPDX-License-Identifier: GPL-3.0-or-later
#include "methods/chain_settings.h"
#include "methods/chains.h"
#include "methods/trained.h"
#include "posterior/mean_field.h"
#include "study/field_makers.h"

namespace credence {

using namespace method_parts;

namespace {

constexpr auto states = "posterior.states", draws_of_state = "posterior.draws_of_state",
               noise = "posterior.functional_noise", floor_of_root = "posterior.functional_floor";

std::vector<Field> functional_fields()
{
    return {
        field_makers::own(
            {.path  = states,
             .label = "States T",
             .help =
                 "Number of chain states that are kept, evenly spaced over the steps after the burn-in. Each state is "
                 "a whole Gaussian over the weights, with a mean and a σ per weight. 5 in the functional-BNN "
                 "submission.",
             .min = 1,
             .max = 10000},
            5L),
        field_makers::own(
            {.path  = draws_of_state,
             .label = "Samples M per state",
             .help  = "Weight samples from each state; predictions are the mean over all T·M samples ((5) in the "
                      "functional-BNN submission, with M = 5).",
             .min   = 1,
             .max   = 10000},
            5L),
        field_makers::own(
            {.path  = noise,
             .label = "Noise and drift",
             .help = "G is the running mean of the squared gradient. As printed, the drift has G^−½ and the noise has "
                     "covariance G⁻¹, so the sampled distribution has a different temperature for each parameter. The "
                     "matched pairs sample exp(−U).",
             .choices  = {{"as_printed", "As printed", "Algorithm 1 of the functional-BNN submission, unchanged."},
                          {"matched_half", "Both G^−½", "Adam's drift with the matching noise."},
                          {"matched_full", "Both G⁻¹", "The noise as printed with the matching drift."}},
             .advanced = true},
            std::string("as_printed")),
        field_makers::own(
            {.path  = floor_of_root,
             .label = "Floor ε₀ of the root",
             .help =
                 "Added to √G, the root mean square of a parameter's gradient of U. A parameter without a gradient, "
                 "such as the bias of an initially inactive unit, jumps by √(2η)/ε₀; with the usual 10⁻⁸ the jump is "
                 "so large that the network never recovers. 1 is about the size of the gradient of the prior alone.",
             .min      = 0,
             .max      = 1e6,
             .min_open = true,
             .advanced = true},
            1.0),
        initial_sd_field(),
        chains_field(),
        burn_in_field(),
        start_field(),
        warm_up_field(),
        temperature_field()};
}

std::optional<Error> refusal_of_functional(const Experiment& experiment)
{
    const auto& study = experiment.study;
    const long draws  = count_of(study, "posterior.chains") * count_of(study, states) * count_of(study, draws_of_state);
    return refusal_of_draws(experiment, draws, draws_of_state);
}

RunPlan plan_of_functionals(const Study& study)
{
    RunPlan plan = plan_of_chains(study, kept_steps(study, count_of(study, states)));
    plan.draws   = static_cast<int>(count_of(study, draws_of_state));
    return plan;
}

LangevinOptions langevin_of_functional(const Study& study)
{
    const auto name = name_of(study, noise);
    return {.kind    = LangevinKind::sgfuncrld,
            .noise   = name == "matched_half"   ? FuncRldNoise::matched_half
                       : name == "matched_full" ? FuncRldNoise::matched_full
                                                : FuncRldNoise::as_printed,
            .epsilon = number_of(study, floor_of_root)};
}

Training fit_functional(const Experiment& experiment, std::stop_token stop, TrainingControl* control,
                        const TrainingEvents& events)
{
    const auto& study = experiment.study;
    auto chains       = chains_of(experiment, langevin_of_functional(study));
    const auto M      = static_cast<std::uint32_t>(count_of(study, draws_of_state));
    chains.kept       = kept_steps(study, count_of(study, states));
    chains.draws      = chains.kept.size() * M;
    chains.keep = [M](const VariationalFamily<float>& now, std::uint64_t seed, std::size_t made, const Keep& keep) {
        auto draw = now.make_draw();
        for (std::uint32_t i = 0; i < M; ++i) {
            now.draw({seed, Stream::weight_noise, ~(static_cast<std::uint32_t>(made) + i)},
                     draw);   // counted down from the largest index, since the training counts up from 0
            keep(draw.weights);
        }
    };
    return run_chains(experiment, chains, stop, control, events);
}

}   // namespace

/// A chain over the parameters of a mean field. Each state is a distribution over weights (the
/// functional-BNN submission, Algorithm 1).
Method sgfuncrld_method()
{
    return {.id     = "sgfuncrld",
            .title  = "SGFuncRLD (functional Langevin dynamics)",
            .hint   = "Samples means and spreads of a mean field: a posterior over posteriors, sampled by Adam with "
                      "noise.",
            .group  = MethodGroup::sampling,
            .cost   = "about 1 × mean field",
            .source = "The functional-BNN submission",
            .short_title           = "SGFuncRLD",
            .is_named_for_a_person = true,
            .fields                = functional_fields(),
            .usual                 = [](const Study& study) -> std::vector<UsualSetting> {
                if (!is_images(study.data.source))
                    return {{"posterior.initial_sd", "0.05"}, {"prior.weight_sd", "0.5"},
                            {"prior.bias_sd", "2"},           {"training.kl_weighting", "uniform"},
                            {"training.kl_weight", "1"},      {"training.learning_rate", "0.001"}};
                return {{"posterior.initial_sd", "0.04"}, {"prior.weight_sd", "1"},
                        {"prior.bias_sd", "1"},           {"training.kl_weighting", "uniform"},
                        {"training.kl_weight", "0.1"},    {"training.learning_rate", "0.001"}};
            },
            .posterior = {.is_sample_set = true},
            .training  = {.prior = PriorUse::kl, .own_steps = true},
            .start     = begins_with<MeanField<float>>,
            .refuses   = refusal_of_functional,
            .steps     = steps_of_chains,
            .plan      = plan_of_functionals,
            .fit       = fit_functional,
            .online    = [](const Study& study) { return online_chain(study, langevin_of_functional(study)); }};
}

}   // namespace credence
