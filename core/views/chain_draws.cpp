// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/chain_draws.h"

#include "chains/chain_diagnostics.h"
#include "foundation/error.h"
#include "foundation/number_text.h"
#include "posterior/pruning.h"
#include "prediction/posterior_predictive.h"
#include "study/method.h"

#include <algorithm>
#include <map>

namespace credence::view_support {

std::optional<ChainOrder> chain_order(const SampleSet& set)
{
    std::map<int, std::vector<std::size_t>> of_chain;
    const auto& chains = set.origin().chains;
    for (std::size_t s = 0; s < chains.size(); ++s)
        of_chain[chains[s]].push_back(s);
    if (of_chain.empty())
        return {};
    std::size_t longest = 0, shortest = set.n_draws();
    for (const auto& [chain, numbers] : of_chain)
        longest = std::max(longest, numbers.size());
    std::erase_if(of_chain, [&](const auto& chain) { return 2 * chain.second.size() < longest; });
    for (const auto& [chain, numbers] : of_chain)
        shortest = std::min(shortest, numbers.size());
    ChainOrder order;
    for (auto& [chain, numbers] : of_chain) {
        numbers.resize(shortest);
        order.chains.push_back(chain);
        order.numbers.push_back(std::move(numbers));
    }
    order.n_left_out = set.n_draws() - order.size();
    return order;
}

std::vector<std::size_t> places_of_draws(const SampleSet& set, const ChainOrder& order, std::uint64_t seed)
{
    std::vector<std::size_t> place_of_number(set.n_draws(), nowhere);
    for (std::size_t c = 0; c < order.n_chains(); ++c)
        for (std::size_t i = 0; i < order.n_draws(); ++i)
            place_of_number[order.numbers[c][i]] = c * order.n_draws() + i;
    std::vector<std::size_t> places(set.n_draws());
    for (std::size_t s = 0; s < places.size(); ++s)
        places[s] = place_of_number[set.number_of({seed, Stream::prediction, static_cast<std::uint32_t>(s)})];
    return places;
}

PosteriorPredictive predictive_of_set(const RunSnapshot& run, const SampleSet& set)
{
    return {run.experiment->model, run.snapshot->posterior, static_cast<int>(set.n_draws()),
            run.experiment->study.seed};
}

std::optional<QuantityDraws> draws_at(const RunSnapshot& run, const PosteriorPredictive& predictive,
                                      std::span<const float> inputs, std::size_t per_input,
                                      std::span<const std::size_t> places, const std::stop_token& stop)
{
    const auto& data    = *run.experiment->data;
    const std::size_t d = data.training.n_features;
    const bool classes  = run.experiment->task() == Task::classification;
    const auto S        = static_cast<std::size_t>(predictive.n_samples());
    const auto is_kept  = [](std::size_t place) { return place != nowhere; };
    QuantityDraws out{
        .n_inputs  = inputs.size() / d,
        .per_input = per_input,
        .n_draws = places.empty() ? S : static_cast<std::size_t>(std::count_if(places.begin(), places.end(), is_kept)),
        .values  = {}};
    out.values.resize(out.n_quantities() * out.n_draws);
    const bool whole = predictive.stream_outputs(inputs, static_cast<int>(d), stop,
                                                 [&](const OutputSamples& block, std::size_t first) {
        require_finite(view_of(block), first);
        for (int s = 0; s < block.n_samples; ++s) {
            const auto draw         = static_cast<std::size_t>(s);
            const std::size_t place = places.empty() ? draw : places[draw];
            if (place == nowhere)
                continue;
            for (int i = 0; i < block.n_inputs; ++i)
                for (std::size_t k = 0; k < per_input; ++k) {
                    const double value = static_cast<double>(block.at(s, i, static_cast<int>(k)));
                    out.of((first + static_cast<std::size_t>(i)) * per_input
                           + k)[place] = classes ? value : data.target_mean + data.target_sd * value;
                }
        }
    });
    if (!whole)
        return {};
    return out;
}

std::vector<double> ChainSnapshot::energies() const
{
    std::vector<double> out;
    if (statistics())
        for (const auto& numbers : order.numbers)
            for (const auto number : numbers)
                out.push_back(statistics()->draws[number].energy);
    return out;
}

ChainSnapshot chain_snapshot(const RunSnapshot& run)
{
    const auto set = run.snapshot ? std::dynamic_pointer_cast<const SampleSet>(whole_of(run.snapshot->posterior))
                                  : nullptr;
    auto order     = set ? chain_order(*set) : std::nullopt;
    if (!order)
        throw Error("At this step the chains have no draws yet. Continue training.");
    if (order->n_draws() < fewest_draws)
        throw Error("At this step each chain has saved " + std::to_string(order->n_draws())
                    + (order->n_draws() == 1 ? " draw" : " draws") + "; diagnostics need at least "
                    + std::to_string(fewest_draws) + ". Continue training, or save more draws.");
    auto places = places_of_draws(*set, *order, run.experiment->study.seed);
    return {set, std::move(*order), std::move(places), predictive_of_set(run, *set)};
}

long step_of(const ChainSnapshot& chains, std::size_t chain, std::size_t draw)
{
    const auto& steps = chains.set->origin().steps;
    return steps.empty() ? static_cast<long>(draw) + 1 : steps[chains.order.numbers[chain][draw]];
}

std::vector<bool> selected_draws(const ChainSnapshot& chains, const ChainSelection& chain_selection)
{
    std::vector<bool> out;
    for (std::size_t c = 0; c < chains.order.n_chains(); ++c)
        for (std::size_t i = 0; i < chains.order.n_draws(); ++i) {
            const long step = step_of(chains, c, i);
            out.push_back(chain_selection.which == ChainSelection::Which::steps
                              ? chain_selection.from <= step && step <= chain_selection.to
                          : chain_selection.which == ChainSelection::Which::divergent
                              ? chains.statistics() && chains.statistics()->draws[chains.order.numbers[c][i]].divergent
                              : false);
        }
    return out;
}

std::string selection_words(const ChainSelection& chain_selection, std::size_t n)
{
    const std::string draws = n == 1 ? "draw" : "draws";
    if (chain_selection.which == ChainSelection::Which::divergent)
        return "divergent " + draws;
    return draws + " of steps " + grouped_text(chain_selection.from) + " to " + grouped_text(chain_selection.to);
}

std::optional<std::string> why_no_chains(const Experiment& experiment)
{
    const Method& method = method_of(experiment.study);
    if (method.posterior.is_sample_set
        && method.training.own_steps)   // ensemble members and SWAG draws are not states of a chain
        return {};
    return "This view needs chains. Choose NUTS, HMC or one of the stochastic-gradient chains as the posterior.";
}

std::string chains_text(const ChainOrder& order)
{
    std::string text = order.n_chains() == 1 ? "One chain of " : std::to_string(order.n_chains()) + " chains of ";
    text += std::to_string(order.n_draws()) + " draws" + (order.n_chains() == 1 ? "." : " each.");
    if (order.n_left_out > 0)
        text += " " + std::to_string(order.n_left_out)
                + " further draws are left out so that all chains have the same length.";
    return text;
}

}   // namespace credence::view_support
