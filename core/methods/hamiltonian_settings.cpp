// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/chain_diagnostics.h"
#include "foundation/error.h"
#include "methods/chain_settings.h"
#include "methods/hamiltonian_run.h"
#include "methods/stop_rule.h"
#include "posterior/sample_set.h"
#include "runs/experiment.h"
#include "study/field_makers.h"
#include "study/study_words.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>

namespace credence::method_parts {

Field warmup_transitions_field()
{
    return field_makers::own(
        {.path  = "posterior.warmup",
         .label = "Warm-up",
         .unit  = "transitions",
         .help =
             "Transitions before the first draw, in which a chain moves from its start to the posterior and adapts its "
             "step size and the scale of each weight. They are discarded. 1000 is usual; check the convergence "
             "diagnostics.",
         .min = 1,
         .max = 1e6},
        1000L);
}

Field draws_field()
{
    return field_makers::own(
        {.path  = "posterior.draws",
         .label = "Draws per chain",
         .unit  = "draws",
         .help  = "Iterations after warm-up; each yields one draw of all weights, and all draws are kept.",
         .min   = 4,
         .max   = 1e6},
        1000L);
}

Field target_acceptance_field()
{
    return field_makers::own(
        {.path  = "posterior.target_acceptance",
         .label = "Target acceptance",
         .help =
             "Mean acceptance that the warm-up aims for when it adapts the step size. A higher value gives smaller "
             "steps: slower, but with fewer divergences. 0.8 is usual for smooth posteriors; posteriors of networks "
             "have narrow regions, where 0.9 to 0.99 reduces divergences.",
         .min      = 0.5,
         .max      = 1,
         .max_open = true,
         .advanced = true},
        0.9);
}

Field metric_field()
{
    Field metric{.path  = "posterior.metric",
                 .label = "Metric",
                 .help  = "Shape of the posterior as estimated during warm-up; it scales the steps in each direction.",
                 .choices  = {{"diagonal", "A scale per weight", "From draws and gradients: works for any size."},
                              {"dense", "Scales and correlations",
                               "All pairs of weights: fewer but more expensive steps. "
                                "For networks with a few hundred weights."}},
                 .advanced = true};
    return field_makers::own(std::move(metric), std::string("diagonal"));
}

std::vector<Field> hamiltonian_fields()
{
    return {chains_field(),    warmup_transitions_field(), draws_field(),  start_field(),
            warm_up_field(),   target_acceptance_field(),  metric_field(), stop_ess_field(),
            stop_r_hat_field()};
}

std::optional<Error> refusal_of_hamiltonian(const Experiment& experiment)
{
    const auto& study = experiment.study;
    for (const char* path : {"network.dropout", "network.input_dropout"})
        if (field(path).get(study) != FieldValue{0.0})
            return Error(path,
                         std::string(path) + " is above 0, expected 0: chains need a network without random masks.");
    if (auto refusal = refusal_of_stop_rule(study))
        return refusal;
    if (name_of(study, "posterior.metric") == "dense" && experiment.start->layout().size() > Metric::largest_dense)
        return Error("posterior.metric", "posterior.metric is \"dense\", but the network has "
                                             + std::to_string(experiment.start->layout().size())
                                             + " weights, expected at most " + std::to_string(Metric::largest_dense)
                                             + ".");
    return refusal_of_draws(experiment, count_of(study, "posterior.draws") * count_of(study, "posterior.chains"),
                            "posterior.draws");
}

long transitions_of(const Study& study)
{
    return count_of(study, "posterior.warmup") + count_of(study, "posterior.draws");
}

RunPlan plan_of_hamiltonian(const Study& study)
{
    const long warmup = count_of(study, "posterior.warmup"), all = transitions_of(study);
    return {.chains      = static_cast<int>(count_of(study, "posterior.chains")),
            .abreast     = true,
            .steps       = all,
            .quiet       = {{0, warmup}},
            .kept        = evenly_kept(warmup, all, all - warmup),
            .one_step    = "transition",
            .quiet_words = "warm-up"};
}

std::string caption_of_chains(const RunSnapshot& run)
{
    const Study& study = run.experiment->study;
    return ", " + std::to_string(count_of(study, "posterior.chains")) + " chains of "
           + std::to_string(count_of(study, "posterior.draws")) + " draws after "
           + std::to_string(count_of(study, "posterior.warmup")) + " warm-up transitions" + prior_words(study);
}

std::vector<UsualSetting> usual_of_hamiltonian(const Study& study)
{
    std::vector<UsualSetting> usual{
        {"posterior.chains", "4"}, {"posterior.start", "prior"}, {"prior.weight_sd", "1"}, {"prior.bias_sd", "1"}};
    if (!is_images(study.data.source)) {
        usual.push_back({"network.hidden", "10"});
        usual.push_back({"network.activation", "tanh"});
    }
    return usual;
}

namespace {

constexpr std::size_t numbers_of_draw = 6;

/// Writes the statistics of every draw as doubles: energy, acceptance, depth, leapfrog steps,
/// divergent, at the depth limit; then the weights at divergences as floats.
bool write_statistics(const Posterior& last, nlohmann::json& about, std::string& numbers)
{
    const auto* set = sample_set_of(last);
    if (!set || !set->origin().statistics)
        return false;
    const ChainStatistics& statistics = *set->origin().statistics;
    const auto append = [&](const auto& value) { numbers.append(reinterpret_cast<const char*>(&value), sizeof value); };
    for (const DrawStatistics& draw : statistics.draws)
        for (const double number :
             {draw.energy, draw.acceptance, static_cast<double>(draw.depth), static_cast<double>(draw.leapfrog_steps),
              draw.divergent ? 1.0 : 0.0, draw.at_depth_limit ? 1.0 : 0.0})
            append(number);
    about["draws"] = statistics.draws.size();
    for (const ChainSummary& chain : statistics.chains) {
        about["chains"].push_back({{"step_size", chain.step_size},
                                   {"gradients", chain.gradients},
                                   {"warmup_gradients", chain.warmup_gradients},
                                   {"warmup", chain.warmup},
                                   {"diverged", chain.diverged.size()}});
        for (const auto& place : chain.diverged)
            for (const float weight : place)
                append(weight);
    }
    return true;
}

std::shared_ptr<const Posterior> read_statistics(const Posterior& last, const nlohmann::json& about,
                                                 const std::function<std::string(std::size_t most)>& read)
{
    const auto* set = sample_set_of(last);
    if (!set)
        throw Error("chain statistics found for a posterior that is not a set of draws");
    const std::size_t n = set->layout().size(), draws = about.at("draws").get<std::size_t>();
    if (draws != set->n_draws() || about.at("chains").empty() || about.at("chains").size() > draws)
        throw Error("the chain statistics do not match the draws");
    auto statistics   = std::make_shared<ChainStatistics>();
    std::size_t bytes = draws * numbers_of_draw * sizeof(double);
    for (const auto& of : about.at("chains")) {
        const auto diverged = of.at("diverged").get<std::size_t>();
        if (diverged > draws)
            throw Error("the chain statistics do not match the draws");
        statistics->chains.push_back({.step_size        = of.at("step_size").get<double>(),
                                      .gradients        = of.at("gradients").get<long>(),
                                      .warmup_gradients = of.at("warmup_gradients").get<long>(),
                                      .warmup           = of.at("warmup").get<std::vector<std::string>>(),
                                      .diverged = std::vector<std::vector<float>>(diverged, std::vector<float>(n))});
        bytes += diverged * n * sizeof(float);
    }
    const std::string numbers = read(bytes);
    if (numbers.size() != bytes)
        throw Error("the chain statistics are incomplete");
    const char* at  = numbers.data();
    const auto take = [&](auto& value) {
        std::memcpy(&value, at, sizeof value);
        at += sizeof value;
        if (!std::isfinite(value))
            throw Error("a chain statistic is not finite");
    };
    for (std::size_t i = 0; i < draws; ++i) {
        double of[numbers_of_draw];
        for (double& number : of)
            take(number);
        if (std::fabs(of[2]) > 64 || std::fabs(of[3]) > 2e9)
            throw Error("a chain statistic has an impossible value");
        statistics->draws.push_back(
            {of[0], of[1], static_cast<int>(of[2]), static_cast<int>(of[3]), of[4] != 0, of[5] != 0});
    }
    for (auto& chain : statistics->chains)
        for (auto& place : chain.diverged)
            for (float& weight : place)
                take(weight);
    return set->with_statistics(std::move(statistics));
}

void add_chain_results(const Experiment& /*experiment*/, const Posterior& last, nlohmann::ordered_json& results)
{
    const auto* set = sample_set_of(last);
    if (!set || !set->origin().statistics)
        return;
    const ChainStatistics& statistics = *set->origin().statistics;
    const std::size_t C               = statistics.chains.size();
    if (C == 0)
        return;
    nlohmann::ordered_json json{{"chains", C}, {"draws", statistics.draws.size()}};
    std::vector<double> energies(statistics.draws.size() / C);
    long divergent = 0, limited = 0, gradients = 0, warmup_gradients = 0;
    double acceptance = 0;
    for (const DrawStatistics& draw : statistics.draws) {
        divergent += draw.divergent;
        limited += draw.at_depth_limit;
        acceptance += draw.acceptance;
    }
    for (std::size_t k = 0; k < C; ++k) {
        for (std::size_t t = 0; t < energies.size(); ++t)
            energies[t] = statistics.draws[t * C + k].energy;
        const auto value = e_bfmi(energies);
        json["e_bfmi"].push_back(value ? nlohmann::ordered_json(*value) : nullptr);
        json["step_size"].push_back(statistics.chains[k].step_size);
        json["warmup"].push_back(statistics.chains[k].warmup);
        gradients += statistics.chains[k].gradients;
        warmup_gradients += statistics.chains[k].warmup_gradients;
    }
    json["divergences"]      = divergent;
    json["depth_limit_hits"] = limited;
    json["acceptance"]       = acceptance / static_cast<double>(statistics.draws.size());
    json["gradients"]        = gradients;
    json["warmup_gradients"] = warmup_gradients;
    results["sampler"]       = std::move(json);
}

}   // namespace

Method hamiltonian_method()
{
    Method method                 = chain_method();
    method.usual                  = usual_of_hamiltonian;
    method.training.own_schedule  = true;
    method.training.sees_all_rows = true;
    method.refuses                = refusal_of_hamiltonian;
    method.steps                  = transitions_of;
    method.plan                   = plan_of_hamiltonian;
    method.caption                = caption_of_chains;
    method.saved_part             = SavedPart{"chains", write_statistics, read_statistics};
    method.results                = add_chain_results;
    return method;
}

}   // namespace credence::method_parts
