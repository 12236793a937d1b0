// SPDX-License-Identifier: GPL-3.0-or-later
#include "methods/chain_settings.h"

#include "charts/chart.h"
#include "methods/stop_rule.h"
#include "posterior/point_estimate.h"
#include "random/noise.h"
#include "runs/experiment.h"
#include "study/field_makers.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace credence::method_parts {
namespace {

constexpr double most_bytes = 1 << 30;   // for all draws: limit of the archive

}   // namespace

Field chains_field()
{
    return field_makers::own(
        {.path  = "posterior.chains",
         .label = "Chains",
         .help =
             "Chains that run in parallel on all cores, each for the number of steps set by Steps and with its own "
             "random numbers. Agreement between several chains is stronger evidence than one chain alone: they may be "
             "in different modes. Their draws are pooled.",
         .min = 1,
         .max = 100},
        1L);
}

Field burn_in_field()
{
    return field_makers::own(
        {.path  = "posterior.burn_in",
         .label = "Burn-in",
         .help =
             "Share of the steps that is discarded, while the chain moves from its start to the posterior. Too short a "
             "burn-in mixes the start into the predictions. Typical: 0.3 to 0.5.",
         .min      = 0,
         .max      = 1,
         .max_open = true},
        0.5);
}

Field kept_draws_field()
{
    return field_makers::own(
        {.path  = "posterior.kept_draws",
         .label = "Draws kept",
         .unit  = "draws",
         .help =
             "Draws kept per chain, evenly spaced over the steps after the burn-in and including the last step: every "
             "(steps − burn-in)/draws-th state. Neighbouring states are nearly equal, so more draws cost memory but "
             "add little information. Keeps all states if there are fewer.",
         .min = 2,
         .max = 100000},
        100L);
}

Field start_field()
{
    Field start{
        .path  = "posterior.start",
        .label = "Start",
        .help = "Starting point of each chain. A chain from the prior shows what the burn-in has to do; a chain from a "
                "trained network starts at high posterior density and needs less of it. Chains from separately trained "
                "networks start in different modes, so their agreement is stronger evidence.",
        .choices = {
            {"weights", "Starting weights", "The network's initialisation, different for each chain."},
            {"prior", "Sample from the prior", "As far from the data as the prior allows: for small networks."},
            {"trained", "Ensemble member",
             "A separately trained network for each chain, found by Adam from different starting weights and "
             "minibatches: an ensemble with a short chain from each member. For large networks."},
            {"one_trained", "One trained network",
             "The same start for all chains: cheaper than one each, but all chains explore around one maximum."}}};
    return field_makers::own(std::move(start), std::string("weights"));
}

Field warm_up_field()
{
    return field_makers::own(
        {.path  = "posterior.start_steps",
         .label = "Steps to the trained network",
         .unit  = "steps",
         .help =
             "Adam steps to each trained network, at a learning rate that decays from 0.01 (images: 0.001) to 0 along "
             "a cosine, under the same prior. They come before the chain's own steps.",
         .min     = 1,
         .max     = 1e9,
         .applies = begins_trained},
        1000L);
}

Field temperature_field()
{
    return field_makers::own(
        {.path  = "posterior.temperature",
         .label = "Temperature T",
         .help = "The chain samples exp(−U/T); its noise is scaled by √T. 1 is the posterior, below 1 a narrower cold "
                 "posterior, 0 the optimiser without noise.",
         .min      = 0,
         .max      = 1000,
         .advanced = true,
         .caution  = [](const Study& s) -> std::string {
             const double T = number_of(s, "posterior.temperature");
             if (T == 1)
                 return {};
             if (T == 0)
                 return "Without noise: an optimiser, not the posterior.";
             return T < 1 ? "A cold posterior: narrower than the true posterior."
                           : "A warm posterior: wider than the true posterior.";
         }},
        1.0);
}

std::vector<Field> chain_fields()
{
    return {chains_field(),  burn_in_field(),     kept_draws_field(), start_field(),
            warm_up_field(), temperature_field(), stop_ess_field(),   stop_r_hat_field()};
}

double number_of(const Study& study, const char* path) { return std::get<double>(field(path).get(study)); }
long count_of(const Study& study, const char* path) { return std::get<long>(field(path).get(study)); }
bool flag_of(const Study& study, const char* path) { return std::get<bool>(field(path).get(study)); }
std::string name_of(const Study& study, const char* path) { return std::get<std::string>(field(path).get(study)); }

std::vector<long> evenly_kept(long first, long last, long n)
{
    const long all = last - first;
    n              = std::min(n, all);
    std::vector<long> steps;
    for (long i = 1; i <= n; ++i)
        steps.push_back(first + i * (all / n) + i * (all % n) / n);
    return steps;
}

std::vector<long> kept_steps(const Study& study) { return kept_steps(study, count_of(study, "posterior.kept_draws")); }

std::vector<long> kept_steps(const Study& study, long n)
{
    return evenly_kept(burn_in_of(study), study.training.steps, n);
}

long burn_in_of(const Study& study)
{
    const long steps = study.training.steps;
    return std::min(static_cast<long>(number_of(study, "posterior.burn_in") * static_cast<double>(steps)), steps - 1);
}

RunPlan plan_of_chains(const Study& study, std::vector<long> kept)
{
    const bool one_start = name_of(study, "posterior.start") == "one_trained";
    return {.chains       = static_cast<int>(count_of(study, "posterior.chains")),
            .shared_start = one_start ? warm_up_of(study) : 0,
            .own_start    = one_start ? 0 : warm_up_of(study),
            .steps        = study.training.steps,
            .quiet        = {{0, burn_in_of(study)}},
            .kept         = std::move(kept),
            .schedule     = study.training.schedule};
}

bool begins_trained(const Study& study)
{
    const auto start = name_of(study, "posterior.start");
    return start == "trained" || start == "one_trained";
}

long warm_up_of(const Study& study) { return begins_trained(study) ? count_of(study, "posterior.start_steps") : 0; }

long steps_of_chains(const Study& study)
{
    const long chains = count_of(study, "posterior.chains"),
               starts = name_of(study, "posterior.start") == "one_trained" ? 1 : chains;
    return chains * study.training.steps + starts * warm_up_of(study);
}

std::optional<Error> refusal_of_draws(const Experiment& experiment, long draws, const char* path)
{
    const auto weights = experiment.start->layout().size();
    const double bytes = static_cast<double>(draws) * static_cast<double>(weights) * sizeof(float);
    if (bytes <= most_bytes)
        return {};
    const auto most = static_cast<long>(most_bytes / sizeof(float) / static_cast<double>(weights));
    return Error(path, std::string(path) + " gives " + std::to_string(draws) + " draws of " + std::to_string(weights)
                           + " weights, " + number_text(bytes / 1e9, 3) + " GB, expected at most "
                           + std::to_string(most) + " draws for this network.");
}

std::optional<Error> refusal_of_chains(const Experiment& experiment)
{
    const auto& study = experiment.study;
    if (auto refusal = refusal_of_stop_rule(study))
        return refusal;
    const auto each = static_cast<long>(kept_steps(study).size());
    return refusal_of_draws(experiment, each * count_of(study, "posterior.chains"), "posterior.kept_draws");
}

std::vector<UsualSetting> usual_of_chains(const char* rate_of_tables, const char* rate_of_images, const Study& study)
{
    const bool images = is_images(study.data.source);
    return {{"prior.weight_sd", images ? "0.3" : "1"},
            {"prior.bias_sd", "1"},
            {"posterior.kept_draws", images ? "30" : "100"},
            {"training.learning_rate", images ? rate_of_images : rate_of_tables}};
}

OnlineTraining online_chain(const Study& study, LangevinOptions langevin)
{
    langevin.temperature = number_of(study, "posterior.temperature");
    return {.nets = static_cast<int>(count_of(study, "posterior.chains")), .langevin = langevin};
}

Method chain_method()
{
    Method method;
    method.posterior.is_sample_set = true;
    method.training                = {.noise = NoiseIn::nothing, .prior = PriorUse::sampled, .own_steps = true};
    method.start                   = [](const ParameterLayout& layout, const PosteriorOptions&,
                      std::span<const float> means) -> std::unique_ptr<VariationalFamily<float>> {
        return std::make_unique<ChainState<float>>(layout, means);
    };
    method.refuses = refusal_of_chains;
    method.steps   = steps_of_chains;
    method.plan    = [](const Study& study) { return plan_of_chains(study, kept_steps(study)); };
    return method;
}

std::uint64_t seed_of_chain(std::uint64_t seed, int k)
{
    if (k == 0)
        return seed;
    std::array<std::uint32_t, 2> words{};
    random_bits({seed, Stream::samplers, static_cast<std::uint32_t>(k)}, 0, words);
    return (words[0] | std::uint64_t{words[1]} << 32) >> 11;   // within the range of Study seeds
}

}   // namespace credence::method_parts
