// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/chain_draws.h"
#include "views/chain_table.h"
#include "views/plane.h"
#include "views/probe_points.h"
#include "views/view_support.h"

#include "charts/number_text.h"

#include <algorithm>
#include <cmath>

namespace credence {

using namespace view_support;

namespace {

constexpr double highest_shown     = 1.05;        // upper limit of R̂ in pictures
constexpr std::size_t most_values  = 8'000'000;   // draws of all quantities, 64 MB
constexpr std::size_t most_weights = 2000;        // for which R̂ is computed

std::optional<ConvergenceSummary> judged(const QuantityDraws& draws, const ChainSnapshot& chains,
                                         const std::stop_token& stop)
{
    const auto write = [&](std::size_t q, std::span<double> out) {
        const auto of = draws.of(q);
        std::copy(of.begin(), of.end(), out.begin());
    };
    return convergence_summary({draws.n_quantities(), chains.order.n_chains(), chains.order.n_draws(), write}, {},
                               stop);
}

/// R̂ of the weights; large networks use an evenly spaced subset.
std::optional<JudgedWeights> judged_weights(const ChainSnapshot& chains, const std::stop_token& stop)
{
    const std::size_t all = chains.set->layout().size(), n = std::min(all, most_weights);
    const auto write = [&](std::size_t q, std::span<double> out) {
        auto to = out.begin();
        for (const auto& numbers : chains.order.numbers)
            for (const auto number : numbers)
                *to++ = static_cast<double>(chains.set->draw_number(number)[q * all / n]);
    };
    auto summary = convergence_summary({n, chains.order.n_chains(), chains.order.n_draws(), write}, {}, stop);
    if (!summary)
        return {};
    return JudgedWeights{std::move(*summary), n, all};
}

/// The largest R̂ of the quantities at one point, capped at the display limit. A quantity that
/// never varies, such as a probability of exactly 1, counts as 1.
double shown_r_hat(const ConvergenceSummary& summary, std::size_t place, std::size_t per_place)
{
    double largest = 1;
    for (std::size_t k = 0; k < per_place; ++k) {
        const auto& r_hat = summary.quantities[place * per_place + k].r_hat;
        if (r_hat)
            largest = std::max(largest, *r_hat);
        else if (r_hat.reason() == Undefined::standing_still)
            largest = highest_shown;
    }
    return std::min(largest, highest_shown);
}

void add_picture(Chart& chart, const Experiment& experiment, const ProbePoints& probes,
                 const ConvergenceSummary& summary)
{
    const std::size_t per_place = summary.quantities.size() / probes.n;
    const std::string title     = std::string(per_place > 1 ? "Largest R̂ of the classes" : "R̂") + ", shown up to "
                              + number_text(highest_shown, 3);
    std::vector<double> r_hat;
    for (std::size_t i = 0; i < probes.n; ++i)
        r_hat.push_back(shown_r_hat(summary, i, per_place));
    if (probes.grid) {
        chart.panels.push_back(plane_panel(experiment, *probes.grid,
                                           {.name     = "R̂",
                                            .z        = {r_hat.begin(), r_hat.end()},
                                            .z_range  = {1, highest_shown},
                                            .contours = {agreeing_r_hat}}));
        chart.panels.back().title = title;
    } else if (!probes.x.empty()) {
        chart.panels.push_back({.title  = title,
                                .x      = {.label = experiment.data->training.feature_names[0],
                                           .range = Range{probes.x.front(), probes.x.back()}},
                                .y      = {.label = "R̂", .range = Range{1, highest_shown}},
                                .series = {Line{.x = probes.x, .y = r_hat, .tone = {Tone::Kind::posterior}},
                                           Rule{.direction = Rule::Direction::horizontal,
                                                .at        = agreeing_r_hat,
                                                .label     = number_text(agreeing_r_hat, 3)}}});
    }
}

std::optional<Chart> make_chain_convergence(const RunSnapshot& moment, const ViewOptions& options,
                                            const std::stop_token& stop)
{
    const auto& experiment = *moment.experiment;
    const auto chains      = chain_moment(moment);
    const bool classes     = experiment.task() == Task::classification;
    const auto per_place   = classes ? experiment.data->training.n_classes() - 1 : std::size_t{1};
    const auto probes = probe_points(experiment, options, {.most = most_values / (chains.order.size() * per_place)});
    const auto draws  = draws_at(moment, chains.predictive, probes.inputs, per_place, chains.places, stop);
    if (!draws)
        return {};
    const auto summary = judged(*draws, chains, stop);
    const auto weights = summary ? judged_weights(chains, stop) : std::nullopt;
    if (!weights)
        return {};

    Chart chart{.id = "chain_convergence", .title = "Convergence of the chains"};
    const JudgedChains all{.chains      = chains,
                           .places      = probes.names,
                           .what        = probes.what,
                           .class_names = classes ? experiment.data->training.class_names : std::vector<std::string>(),
                           .summary     = *summary,
                           .weights     = *weights};
    chart.table   = chain_table(all);
    chart.caption = chain_sentences(all);
    add_picture(chart, experiment, probes, *summary);
    return with_setting(std::move(chart), moment, static_cast<int>(chains.order.size()));
}

}   // namespace

View chain_convergence_view()
{
    return {
        .id    = "chain_convergence",
        .title = "Convergence of the chains",
        .help =
            "Do the chains agree? Chains that started from different weights should have forgotten their start and "
            "describe the same function. Each class probability (all but the last) or function value, at points "
            "among the data, between them and outside, is one quantity, and all its draws are compared chain by "
            "chain. R̂ compares the spread of all draws with the spread within half-chains, √(((n − 1)/n W + "
            "B/n)/W), using ranks: it is 1 where chains agree, and below 1.01 the chains can be used. R̂ of short or "
            "autocorrelated chains exceeds 1.01 even if they agree. The table therefore shows the probability of a "
            "difference between chains as large as the observed one if all chains sample one distribution: an "
            "analysis of variance of the means of blocks four times as long as the autocorrelation time, with "
            "Bonferroni's correction over all quantities. Bulk ESS is the number of independent draws that would "
            "give a mean of the same precision; tail ESS is the same for the 5 % and 95 % quantiles. 400 are enough "
            "for most purposes. Costs are per thousand gradients: one gradient is one pass over all data. E-BFMI = Σ "
            "(E_t − E_t₋₁)²/Σ (E_t − Ē)² below 0.3 means that a Hamiltonian chain moves slowly between energies. A "
            "divergent trajectory met a region too steep for its step size, so draws nearby may be missing. R̂ of "
            "the weights is listed last and means little: swapping two hidden units with all their weights leaves "
            "the function unchanged, so chains can stay at different copies of one function for ever, with different "
            "weights and equal predictions. The map shows where in the plane the chains disagree. Sources: Vehtari, "
            "Gelman, Simpson, Carpenter and Bürkner 2021 for R̂ and ESS; Betancourt 2016 for E-BFMI; Izmailov, "
            "Vikram, Hoffman and Wilson 2021 for R̂ of functions compared with R̂ of weights.",
        .cost        = Cost::slow,
        .when_pruned = WhenPruned::whole,
        .why_not     = why_no_chains,
        .make        = make_chain_convergence};
}

}   // namespace credence
