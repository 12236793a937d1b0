// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/statistics.h"
#include "views/chain_draws.h"
#include "views/view_support.h"

#include "chains/chain_diagnostics.h"
#include "chains/convergence.h"
#include "charts/chart.h"
#include "charts/density.h"
#include "data/dataset.h"

#include <algorithm>
#include <numeric>

namespace credence {

using namespace view_support;

namespace {

constexpr std::size_t longest_lag = 50;

/// The quantity drawn along the chains.
struct Traced {
    std::string name, unit;
    std::vector<double> draws;   // chain by chain
};

std::string chain_name(const ChainOrder& order, std::size_t c) { return "chain " + std::to_string(order.chains[c]); }

/// The probability of the predicted class, or the function's value.
Traced traced(const QuantityDraws& draws, const Experiment& experiment, const std::string& input)
{
    const auto& training = experiment.data->training;
    std::size_t best     = 0;
    double largest       = -1;
    if (experiment.task() == Task::classification)
        for (std::size_t k = 0; k < draws.n_quantities(); ++k) {
            const auto of    = draws.of(k);
            const double sum = std::accumulate(of.begin(), of.end(), 0.0);
            if (sum > largest) {
                largest = sum;
                best    = k;
            }
        }
    const auto of = draws.of(best);
    if (experiment.task() == Task::classification)
        return {"Probability of " + class_name(training.class_names, static_cast<int>(best)) + " at " + input,
                "",
                {of.begin(), of.end()}};
    return {"f at " + input, target_unit(training.target_name), {of.begin(), of.end()}};
}

/// Ticks at the bottom of the trace, where many lines do not hide them, and the selected steps as a
/// stripe.
void mark_trace(Panel& panel, const Points& divergent, const ChainSelection& chain_selection)
{
    double low = 0, high = 0;
    bool any = false;
    for (const auto& series : panel.series)
        if (const auto* line = std::get_if<Line>(&series))
            for (const double y : line->y) {
                low  = any ? std::min(low, y) : y;
                high = any ? std::max(high, y) : y;
                any  = true;
            }
    if (chain_selection.which == ChainSelection::Which::steps)
        panel.series.insert(panel.series.begin(), Band{.name  = selection_words(chain_selection),
                                                       .x     = {static_cast<double>(chain_selection.from),
                                                                 static_cast<double>(chain_selection.to)},
                                                       .lower = {low, low},
                                                       .upper = {high, high},
                                                       .tone  = {Tone::Kind::accent}});
    if (divergent.x.empty())
        return;
    Points ticks = divergent;
    ticks.name.clear();
    ticks.marker = Marker::triangle;
    ticks.filled = true;
    ticks.y.assign(ticks.x.size(), low);
    panel.series.push_back(divergent);
    panel.series.push_back(std::move(ticks));
}

Panel trace_panel(const ChainSnapshot& chains, const Traced& what, const ChainSelection& chain_selection)
{
    const auto draws  = chains.by_chain(what.draws);
    const auto agreed = convergence(draws);
    const auto& steps = chains.set->origin().steps;
    std::string title = "Trace";
    if (agreed.r_hat)
        title += ", R̂ = " + number_text(*agreed.r_hat, 4);
    if (agreed.bulk_ess)
        title += ", bulk ESS " + number_text(*agreed.bulk_ess, 3);
    if (!agreed.r_hat)
        title += "\n" + agreed.r_hat.why_not();
    Panel panel{.title = title,
                .x     = {.label = steps.empty() ? "Draw in its chain" : "Step in its chain"},
                .y     = {.label = what.name, .unit = what.unit}};
    Points divergent{
        .name = "divergent", .tone = {Tone::Kind::wrong}, .marker = Marker::cross, .size = 6, .filled = false};
    for (std::size_t c = 0; c < draws.n_chains; ++c) {
        Line line{
            .name = chain_name(chains.order, c), .tone = category(static_cast<int>(c)), .width = 0.8, .opacity = 0.8};
        for (std::size_t i = 0; i < draws.n_draws; ++i) {
            const std::size_t number = chains.order.numbers[c][i];
            line.x.push_back(static_cast<double>(step_of(chains, c, i)));
            line.y.push_back(draws.chain(c)[i]);
            if (chains.statistics() && chains.statistics()->draws[number].divergent) {
                divergent.x.push_back(line.x.back());
                divergent.y.push_back(line.y.back());
            }
        }
        panel.series.push_back(std::move(line));
    }
    mark_trace(panel, divergent, chain_selection);
    return panel;
}

/// The chains side by side in each bin. Empty if nothing varies, since ranks are then undefined.
std::optional<Panel> rank_panel(const ChainSnapshot& chains, const Traced& what)
{
    const auto draws = chains.by_chain(what.draws);
    const auto bins  = std::clamp<std::size_t>(draws.n_draws / 10, 2, 20);
    const auto ranks = rank_histogram(draws, bins);
    if (!ranks.why_not.empty())
        return {};
    Panel panel{.title = "Ranks", .x = {.label = "Rank among the draws of all chains"}, .y = {.label = "Draws"}};
    const double bin = static_cast<double>(draws.values.size()) / static_cast<double>(bins),
                 bar = 0.8 * bin / static_cast<double>(draws.n_chains);
    for (std::size_t c = 0; c < draws.n_chains; ++c) {
        Bars bars{.name = chain_name(chains.order, c), .width = bar, .tone = category(static_cast<int>(c))};
        for (std::size_t b = 0; b < bins; ++b) {
            bars.position.push_back(bin * (static_cast<double>(b) + 0.1) + bar * (static_cast<double>(c) + 0.5));
            bars.height.push_back(static_cast<double>(ranks.of_chain(c)[b]));
        }
        panel.series.push_back(std::move(bars));
    }
    panel.series.push_back(Rule{.direction = Rule::Direction::horizontal, .at = ranks.expected, .label = "expected"});
    return panel;
}

/// Empty: no chain varies.
std::optional<Panel> autocorrelation_panel(const ChainSnapshot& chains, const Traced& what)
{
    Panel panel{.title = "Autocorrelation", .x = {.label = "Lag", .unit = "draws"}, .y = {.label = "Autocorrelation"}};
    const auto each = autocorrelations(chains.by_chain(what.draws), longest_lag);
    for (std::size_t c = 0; c < each.size(); ++c) {
        if (each[c].rho.empty())
            continue;
        Line line{.name = chain_name(chains.order, c), .y = each[c].rho, .tone = category(static_cast<int>(c))};
        line.x.resize(line.y.size());
        std::iota(line.x.begin(), line.x.end(), 0.0);
        panel.series.push_back(std::move(line));
    }
    if (panel.series.empty())
        return {};
    panel.series.push_back(Rule{.direction = Rule::Direction::horizontal, .at = 0});
    return panel;
}

Panel energy_panel(const ChainSnapshot& chains)
{
    const auto energies = chains.energies();
    const auto draws    = chains.by_chain(energies);
    std::vector<double> about, steps;
    Points divergent{.name   = "divergent",
                     .tone   = {Tone::Kind::wrong},
                     .marker = Marker::triangle,
                     .size   = 6};   // at the bottom, at the energies of divergent trajectories
    for (std::size_t c = 0; c < draws.n_chains; ++c) {
        const auto E      = draws.chain(c);
        const double mean = mean_of(E);
        for (std::size_t t = 0; t < E.size(); ++t) {
            about.push_back(E[t] - mean);
            if (chains.statistics()->draws[chains.order.numbers[c][t]].divergent) {
                divergent.x.push_back(about.back());
                divergent.y.push_back(0);
            }
            if (t > 0)
                steps.push_back(E[t] - E[t - 1]);
        }
    }
    auto both = about;
    both.insert(both.end(), steps.begin(), steps.end());
    const auto bins = histogram(both, 40);
    std::optional<double> least;
    for (const auto& value : e_bfmi(draws))
        if (value)
            least = std::min(least.value_or(*value), *value);
    Panel panel{.title  = "Energy" + (least ? ", smallest E-BFMI " + number_text(*least, 3) : std::string()),
                .x      = {.label = "Energy", .unit = "nats"},
                .y      = {.label = "Density", .unit = "per nat"},
                .series = {bars_of(histogram_like(bins, about), "E − Ē", {Tone::Kind::posterior}),
                           bars_of(histogram_like(bins, steps), "E_t − E_t₋₁", {Tone::Kind::accent}, 0.4)}};
    if (!divergent.x.empty())
        panel.series.push_back(std::move(divergent));
    return panel;
}

std::optional<Chart> make_chain_traces(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const auto chains      = chain_snapshot(run);
    const auto input       = chosen_input(run, options.input);
    const auto draws       = draws_at(run, chains.predictive, input.standardised,
                                experiment.task() == Task::classification ? experiment.data->training.n_classes()
                                                                                : std::size_t{1},
                                      chains.places, stop);
    if (!draws)
        return {};
    const auto what = traced(*draws, experiment, input.name);
    Chart chart{.id = "chain_traces", .title = "Traces of the chains", .columns = 2};
    chart.panels.push_back(trace_panel(chains, what, options.chain_selection));
    if (auto panel = rank_panel(chains, what))
        chart.panels.push_back(std::move(*panel));
    if (auto panel = autocorrelation_panel(chains, what))
        chart.panels.push_back(std::move(*panel));
    if (chains.statistics())
        chart.panels.push_back(energy_panel(chains));
    chart.caption = what.name + ". " + chains_text(chains.order);
    return with_setting(std::move(chart), run, static_cast<int>(chains.order.size()));
}

}   // namespace

View chain_traces_view()
{
    return {
        .id    = "chain_traces",
        .title = "Traces of the chains",
        .group = ViewGroup::chains,
        .help =
            "One quantity, traced draw by draw along every chain: the probability of the predicted class at the "
            "selected input, or the function value. Chains that have converged look alike, like one band of noise. A "
            "chain that stays apart, drifts or gets stuck is easy to see. Crosses mark draws whose trajectory "
            "diverged; triangles at the bottom mark their positions. Drag on the trace to select a range of steps: "
            "the view of their functions shows these draws. Ranks: all draws of all chains are ranked together and "
            "counted for each chain. If chains agree, each has equally many in every bin, up to chance (dashed "
            "line). Autocorrelation ρ(t) of each chain: the correlation of draws t apart. The sooner it falls to 0, "
            "the more independent draws the chain is worth. Energy, for Hamiltonian chains: the distribution of "
            "energies around their mean, E − Ē, and of the change from one draw to the next, E_t − E_t₋₁. The two "
            "should be alike; if the second is much narrower, the chain explores energies slowly. Sources: Vehtari, "
            "Gelman, Simpson, Carpenter and Bürkner 2021 for the rank plot; Betancourt 2016 for the energies; Geyer "
            "1992 for the autocorrelation.",
        .needs_input = true,
        .when_pruned = WhenPruned::whole,
        .why_not     = why_no_chains,
        .make        = make_chain_traces};
}

}   // namespace credence
