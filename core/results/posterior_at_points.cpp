// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/posterior_at_points.h"

#include "chains/convergence.h"
#include "chains/monte_carlo_error.h"
#include "formats/input_rows.h"
#include "foundation/parallel.h"
#include "posterior/sample_set.h"
#include "prediction/quantiles.h"
#include "prediction/regression.h"
#include "prediction/samples.h"
#include "views/view_support.h"

#include <array>
#include <cmath>

namespace credence {
namespace {

constexpr std::array shares{0.05, 0.25, 0.5, 0.75, 0.95};

/// Draws of every quantity, row by row and output by output: [n_rows × n_outputs × n_draws].
struct AskedDraws {
    int n_rows = 0, n_outputs = 0;
    std::size_t n_draws = 0;
    std::vector<double> values;

    std::span<double> of(std::size_t quantity) { return std::span(values).subspan(quantity * n_draws, n_draws); }
};

/// In which place of the list, chain by chain, each draw of the predictive stands. Empty: no chains of one length.
struct ChainOrder {
    std::vector<std::size_t> place;   ///< of the s-th draw of the predictive
    std::size_t n_chains = 0;
};

std::optional<ChainOrder> chain_order(const SampleSet& set, std::uint64_t seed)
{
    const auto& chains = set.origin().chains;
    if (chains.empty())
        return {};
    std::vector<std::vector<std::size_t>> of_chain;
    for (std::size_t s = 0; s < chains.size(); ++s) {
        of_chain.resize(std::max<std::size_t>(of_chain.size(), static_cast<std::size_t>(chains[s]) + 1));
        of_chain[static_cast<std::size_t>(chains[s])].push_back(s);
    }
    const std::size_t n = of_chain.front().size();
    for (const auto& draws : of_chain)
        if (draws.size() != n)
            return {};
    std::vector<std::size_t> place_of_number(set.n_draws());
    for (std::size_t c = 0; c < of_chain.size(); ++c)
        for (std::size_t i = 0; i < n; ++i)
            place_of_number[of_chain[c][i]] = c * n + i;
    ChainOrder order{std::vector<std::size_t>(set.n_draws()), of_chain.size()};
    for (std::size_t s = 0; s < set.n_draws(); ++s)
        order.place[s] = place_of_number[set.number_of({seed, Stream::prediction, static_cast<std::uint32_t>(s)})];
    return order;
}

/// @return empty: stopped
std::optional<AskedDraws> asked_draws(const RunMoment& end, const PosteriorPredictive& predictive,
                                      const std::optional<ChainOrder>& order, const std::stop_token& stop)
{
    const auto& experiment = *end.experiment;
    const auto& data       = *experiment.data;
    const std::size_t d    = data.training.n_features;
    const auto inputs      = view_support::standardised(
             experiment, read_input_rows(experiment.study.prediction.points, data.training.feature_names));

    const bool classes = experiment.task() == Task::classification;
    AskedDraws asked{.n_rows    = static_cast<int>(inputs.size() / d),
                     .n_outputs = classes ? predictive.n_outputs() : 1,
                     .n_draws   = static_cast<std::size_t>(predictive.n_samples()),
                     .values    = {}};
    asked.values.resize(static_cast<std::size_t>(asked.n_rows) * asked.n_outputs * asked.n_draws);
    const bool whole = predictive.stream_outputs(inputs, static_cast<int>(d), stop,
                                                 [&](const OutputSamples& block, std::size_t first) {
        require_finite(view_of(block), first);
        for (int s = 0; s < block.n_samples; ++s) {
            const std::size_t place = order ? order->place[static_cast<std::size_t>(s)] : static_cast<std::size_t>(s);
            for (int i = 0; i < block.n_inputs; ++i)
                for (int k = 0; k < asked.n_outputs; ++k) {
                    const double value   = static_cast<double>(block.at(s, i, k));
                    asked.of((first + i) * asked.n_outputs
                             + k)[place] = classes ? value : data.target_mean + data.target_sd * value;
                }
        }
    });
    if (!whole)
        return {};
    return asked;
}

Cell cell_of(const DiagnosticValue& value) { return value ? Cell(*value) : Cell(std::string()); }

}   // namespace

std::optional<Table> posterior_at_points(const RunMoment& end, const std::stop_token& stop)
{
    const auto& study = end.experiment->study;
    const auto* set   = dynamic_cast<const SampleSet*>(end.snapshot->posterior.get());
    const auto order  = set ? chain_order(*set, study.seed) : std::nullopt;
    const PosteriorPredictive predictive(end.experiment->model, end.snapshot->posterior,
                                         set ? static_cast<int>(set->n_draws()) : study.prediction.samples, study.seed);
    auto asked = asked_draws(end, predictive, order, stop);
    if (!asked)
        return {};

    Table table;
    for (const auto* const name : {"row", "output", "mean", "sd", "q05", "q25", "q50", "q75", "q95"})
        table.columns.push_back({.name = name});
    if (order)
        for (const auto* const name : {"mcse", "ess_bulk", "ess_tail", "rhat"})
            table.columns.push_back({.name = name});
    table.rows.resize(static_cast<std::size_t>(asked->n_rows) * asked->n_outputs);
    parallel_for(table.rows.size(), [&](std::size_t q) {
        const auto draws = asked->of(q);
        const double S   = static_cast<double>(draws.size());
        double sum = 0, squares = 0;
        for (const double x : draws)
            sum += x;
        for (const double x : draws)
            squares += (x - sum / S) * (x - sum / S);
        auto& row = table.rows[q];
        row       = {static_cast<long>(q) / asked->n_outputs, static_cast<long>(q) % asked->n_outputs, sum / S,
               draws.size() > 1 ? std::sqrt(squares / (S - 1)) : 0.0};
        for (const double x : quantiles(draws, shares))
            row.push_back(x);
        if (!order)
            return;
        const ScalarDraws by_chain{draws, order->n_chains, draws.size() / order->n_chains};
        const auto errors = monte_carlo_errors(by_chain);
        const auto agreed = convergence(by_chain);
        for (const auto& value : {errors.of_mean, agreed.bulk_ess, agreed.tail_ess, agreed.r_hat})
            row.push_back(cell_of(value));
    });
    return table;
}

}   // namespace credence
