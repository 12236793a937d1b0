// SPDX-License-Identifier: GPL-3.0-or-later
#include "methods/stop_rule.h"

#include "chains/convergence.h"
#include "foundation/number_text.h"
#include "methods/chain_settings.h"
#include "posterior/sample_set.h"
#include "study/field_makers.h"
#include "study/method.h"

#include <algorithm>

namespace credence::method_parts {
namespace {

constexpr auto stop_ess = "posterior.stop_ess", stop_r_hat = "posterior.stop_rhat";

constexpr long fewest_judged      = 20;   // draws per chain: with fewer, R̂ is too often near 1 by chance
constexpr long most_looks         = 20;
constexpr std::size_t most_judged = 10;   // classes

}   // namespace

Field stop_ess_field()
{
    return field_makers::own(
        {.path  = stop_ess,
         .label = "Stop at bulk ESS",
         .unit  = "draws",
         .help =
             "Ends the run as soon as the smallest bulk ESS of the predictions of all chains reaches this value, over "
             "25 inputs inside and outside the data. Checked up to 20 times, after every twentieth of the draws. 400 "
             "is usual; 0 disables the rule.",
         .min      = 0,
         .max      = 1e9,
         .advanced = true},
        0.0);
}

Field stop_r_hat_field()
{
    return field_makers::own(
        {.path  = stop_r_hat,
         .label = "Stop at R̂",
         .help  = "Ends the run as soon as R̂ of the predictions is at most this value at each of the same 25 inputs. "
                  "Chains that agree have R̂ near 1; 1.01 is usual. If a bulk ESS is set as well, both must hold. The "
                  "first of up to 20 checks that passes ends the run, so R̂ alone can end a short run by chance; set a "
                  "bulk ESS, too. 0 disables the rule.",
         .min   = 0,
         .max   = 10,
         .advanced = true},
        0.0);
}

StopRule stop_rule_of(const Study& study)
{
    const auto& fields = method_of(study).fields;
    if (std::none_of(fields.begin(), fields.end(), [](const Field& of_method) { return of_method.path == stop_ess; }))
        return {};
    return {number_of(study, stop_ess), number_of(study, stop_r_hat)};
}

std::optional<Error> refusal_of_stop_rule(const Study& study)
{
    const double r_hat = number_of(study, stop_r_hat);
    if (r_hat <= 0 || r_hat > 1)
        return {};
    return Error(stop_r_hat, std::string(stop_r_hat) + " is " + plain_text(r_hat)
                                 + ", expected 0 (no rule) or more than 1: chains that agree have R̂ near 1.");
}

ConvergenceWatch::ConvergenceWatch(const Experiment& experiment, const StopRule& rule, std::size_t n_chains, long draws)
    : experiment_(experiment), rule_(rule), n_chains_(n_chains), draws_(draws),
      every_(std::max(fewest_judged, (draws + most_looks - 1) / most_looks)), places_(few_probe_places(experiment))
{
    const auto& data = experiment.data->training;
    per_place_       = data.task == Task::regression ? data.n_targets()
                       : data.n_classes() == 2       ? 1
                                                     : std::min(data.n_classes(), most_judged);
}

void ConvergenceWatch::serialise(StateBytes& state)
{
    state.section("stop rule");
    state.within(seen_, 0, draws_);
    state.list(values_);
}

std::optional<long> ConvergenceWatch::next_look(long draws) const
{
    const long next = (draws / every_ + 1) * every_;
    return next < draws_ ? std::optional(next) : std::nullopt;   // a check after the last draw is not needed
}

std::optional<std::string>
ConvergenceWatch::look(long draws, function_ref<std::span<const float>(std::size_t, std::size_t)> weights,
                       const std::stop_token& stop)
{
    const auto all              = static_cast<std::size_t>(draws);
    const std::size_t n_new     = (all - seen_) * n_chains_;
    const std::size_t per_place = per_place_, n_quantities = places_.n * per_place;
    if (n_new == 0)   // a stop request interrupted this check
        return verdict(draws, stop);
    aligned_vector<float> fresh;
    for (std::size_t i = seen_; i < all; ++i)
        for (std::size_t k = 0; k < n_chains_; ++k) {
            const auto draw = weights(k, i);
            fresh.insert(fresh.end(), draw.begin(), draw.end());
        }
    const auto set           = std::make_shared<const SampleSet>(experiment_.start->layout(), std::move(fresh));
    const std::uint64_t seed = experiment_.study.seed;
    const auto outputs       = PosteriorPredictive(experiment_.model, set, static_cast<int>(n_new), seed)
                             .sample_outputs(places_.inputs, static_cast<int>(places_.n), stop);
    if (stop.stop_requested())
        return {};
    const bool numeric = experiment_.task() == Task::regression;
    values_.resize(all * n_chains_ * n_quantities);
    for (std::size_t s = 0; s < n_new; ++s) {
        const auto number = set->number_of({seed, Stream::prediction, static_cast<std::uint32_t>(s)});
        float* of_draw    = values_.data() + (seen_ * n_chains_ + number) * n_quantities;
        for (std::size_t q = 0; q < n_quantities; ++q)
            of_draw[q] = outputs.at(static_cast<int>(s), static_cast<int>(q / per_place),
                                    static_cast<int>(q % per_place) * (numeric ? 2 : 1));   // f of (f, s)
    }
    seen_ = all;
    return verdict(draws, stop);
}

std::optional<std::string> ConvergenceWatch::verdict(long draws, const std::stop_token& stop) const
{
    const auto all                 = static_cast<std::size_t>(draws);
    const std::size_t n_quantities = places_.n * per_place_;
    const auto write               = [&](std::size_t q, std::span<double> out) {
        for (std::size_t k = 0; k < n_chains_; ++k)
            for (std::size_t i = 0; i < all; ++i)
                out[k * all + i] = static_cast<double>(values_[(i * n_chains_ + k) * n_quantities + q]);
    };
    const auto summary = convergence_summary({n_quantities, n_chains_, all, write}, {}, stop);
    if (!summary || !summary->worst_r_hat || !summary->smallest_bulk_ess)
        return {};
    const auto& r_hat = summary->quantities[*summary->worst_r_hat].r_hat;
    const double ess  = *summary->quantities[*summary->smallest_bulk_ess].bulk_ess;
    if (!r_hat || ess < rule_.ess || (rule_.r_hat > 0 && *r_hat > rule_.r_hat))   // R̂ undefined: chains do not move
        return {};
    std::string sentence = "Stopped by the stopping rule after " + std::to_string(draws) + " of "
                           + std::to_string(draws_) + " draws per chain:";
    if (rule_.ess > 0)
        sentence += " smallest bulk ESS " + fixed_text(ess, 0) + " ≥ " + plain_text(rule_.ess);
    if (rule_.r_hat > 0)
        sentence += std::string(rule_.ess > 0 ? "," : "") + " worst R̂ " + fixed_text(*r_hat, 3) + " ≤ "
                    + plain_text(rule_.r_hat);
    return sentence + ".";
}

}   // namespace credence::method_parts
