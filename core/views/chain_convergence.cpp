// SPDX-License-Identifier: GPL-3.0-or-later

#include "chains/chain_diagnostics.h"
#include "charts/chart.h"
#include "foundation/error.h"
#include "foundation/statistics.h"
#include "runs/result_cache.h"
#include "views/chain_draws.h"
#include "views/decision_map.h"
#include "views/probe_points.h"
#include "views/run_summary.h"
#include "views/view_support.h"

#include <algorithm>
#include <cmath>

namespace credence::view_support {

namespace {

using Row = std::vector<Cell>;

const Cell no_cell            = std::string();
constexpr double enough_draws = 400;   ///< independent ones, for most purposes

/// The first row has the step size; each sentence of the warm-up report has its own row, so that
/// the table fits on a page.
void add_warmup(const ChainSnapshot& chains, const ChainSummary& statistics, std::size_t c, Table& table)
{
    table.rows.push_back({"Step size of chain " + std::to_string(chains.order.chains[c]) + ", and its warm-up",
                          statistics.step_size, no_cell,
                          statistics.warmup.empty() ? std::string() : statistics.warmup.front()});
    for (std::size_t i = 1; i < statistics.warmup.size(); ++i)
        table.rows.push_back({no_cell, no_cell, no_cell, statistics.warmup[i]});
}

/// What quantity q is: "class 1 at (0.5, 1.2)".
std::string quantity_name(const JudgedChains& judged, std::size_t q)
{
    const std::size_t per_place = judged.summary.quantities.size() / judged.places.size();
    const std::string& place    = judged.places[q / per_place];
    return per_place > 1 ? judged.class_names[q % per_place] + " at " + place : place;
}

/// Why no quantity has diagnostics: the reason of the first one.
std::string why_nothing(const ConvergenceSummary& summary) { return summary.quantities.front().r_hat.why_not(); }

Row row_of(const std::string& name, const DiagnosticValue& value, Cell plain, const std::string& where)
{
    return {name, value ? Cell(*value) : no_cell, std::move(plain), value ? where : value.why_not()};
}

ChainNumbers::Number worst_r_hat(const JudgedChains& judged)
{
    const auto& summary = judged.summary;
    if (!summary.worst_r_hat)
        return {{}, why_nothing(summary)};
    const std::string where = quantity_name(judged, *summary.worst_r_hat);
    const auto& r_hat       = summary.quantities[*summary.worst_r_hat].r_hat;
    if (!r_hat)
        return {{}, where + ": " + r_hat.why_not()};
    return {*r_hat, where};
}

template <class ValueOf>
ChainNumbers::Number smallest_of(const JudgedChains& judged, const std::optional<std::size_t>& at,
                                 const ValueOf& value_of)
{
    if (!at)
        return {{}, value_of(judged.summary.quantities.front()).why_not()};
    return {*value_of(judged.summary.quantities[*at]), quantity_name(judged, *at)};
}

ChainNumbers::Number smallest_bulk_ess(const JudgedChains& judged)
{
    return smallest_of(judged, judged.summary.smallest_bulk_ess,
                       [](const Convergence& c) -> const DiagnosticValue& { return c.bulk_ess; });
}

Row number_row(const std::string& name, const ChainNumbers::Number& number, Cell reference)
{
    return {name, number.value ? Cell(*number.value) : no_cell, std::move(reference), number.where};
}

struct Tally {
    long divergent = 0, limited = 0, gradients = 0, warmup_gradients = 0;
    double acceptance = 0;   // mean
};

Tally tally_of(const ChainSnapshot& chains, const ChainStatistics& statistics)
{
    Tally out;
    for (std::size_t c = 0; c < chains.order.n_chains(); ++c) {
        for (const auto number : chains.order.numbers[c]) {
            out.divergent += statistics.draws[number].divergent;
            out.limited += statistics.draws[number].at_depth_limit;
            out.acceptance += statistics.draws[number].acceptance / static_cast<double>(chains.order.size());
        }
        const auto k = static_cast<std::size_t>(chains.order.chains[c]);
        if (k < statistics.chains.size()) {
            out.gradients += statistics.chains[k].gradients;
            out.warmup_gradients += statistics.chains[k].warmup_gradients;
        }
    }
    return out;
}

void add_hamiltonian(const JudgedChains& judged, const ChainStatistics& statistics, Table& table)
{
    const auto& chains       = judged.chains;
    const Tally count        = tally_of(chains, statistics);
    const std::string of_all = "of " + std::to_string(chains.order.size()) + " draws";
    const auto& smallest     = judged.summary.smallest_bulk_ess;
    for (std::size_t c = 0; c < chains.order.n_chains(); ++c)
        if (const auto k = static_cast<std::size_t>(chains.order.chains[c]); k < statistics.chains.size())
            add_warmup(chains, statistics.chains[k], c, table);
    const auto per_thousand = [&](const std::string& name, long gradients) {
        if (smallest && gradients > 0)
            table.rows.push_back(
                {name, *judged.summary.quantities[*smallest].bulk_ess * 1000 / static_cast<double>(gradients), no_cell,
                 std::to_string(gradients) + " gradients"});
    };
    per_thousand("Smallest bulk ESS per 1,000 gradients, excluding warm-up", count.gradients - count.warmup_gradients);
    per_thousand("Smallest bulk ESS per 1,000 gradients, including warm-up", count.gradients);
    const auto energies = chains.energies();
    const auto each     = e_bfmi(chains.by_chain(energies));
    for (std::size_t c = 0; c < each.size(); ++c)
        table.rows.push_back(
            row_of("E-BFMI of chain " + std::to_string(chains.order.chains[c]), each[c], 0.3, "should be above"));
    table.rows.push_back({"Trajectories at the depth limit", count.limited, 0L, of_all});
    table.rows.push_back({"Mean acceptance", count.acceptance, no_cell, of_all});
}

Row weights_row(const JudgedWeights& weights)
{
    const std::string name = "Worst R̂ of the weights", of = weights.n == weights.n_all
                                                                ? "of all " + std::to_string(weights.n_all) + " weights"
                                                                : "of " + std::to_string(weights.n) + " of "
                                                                      + std::to_string(weights.n_all) + " weights";
    const auto& worst = weights.summary.worst_r_hat;
    if (!worst)
        return {name, no_cell, no_cell, why_nothing(weights.summary)};
    const auto& r_hat = weights.summary.quantities[*worst].r_hat;
    return {name, r_hat ? Cell(*r_hat) : no_cell, no_cell,
            of + "; means little, since hidden units can be swapped" + (r_hat ? "" : ": " + r_hat.why_not())};
}

ChainNumbers numbers_of(const JudgedChains& judged)
{
    const auto* statistics = judged.chains.statistics();
    return {.r_hat       = worst_r_hat(judged),
            .ess         = smallest_bulk_ess(judged),
            .divergences = statistics ? tally_of(judged.chains, *statistics).divergent : 0,
            .draws       = static_cast<long>(judged.chains.order.size())};
}

}   // namespace

/// The numbers that determine convergence come first.
Table chain_table(const JudgedChains& judged)
{
    const auto& [chains, places, what, class_names, summary, weights] = judged;
    Table table{.columns = {{"Diagnostic"}, {"Value"}, {"Reference"}, {"Note"}}, .rows = {}};
    auto& rows = table.rows;
    rows.push_back(number_row("Worst R̂", worst_r_hat(judged), summary.worst_r_hat ? Cell(agreeing_r_hat) : no_cell));
    rows.push_back(number_row("Smallest bulk ESS", smallest_bulk_ess(judged),
                              summary.smallest_bulk_ess ? Cell(enough_draws) : no_cell));
    rows.push_back(number_row("Smallest tail ESS",
                              smallest_of(judged, summary.smallest_tail_ess,
                                          [](const Convergence& c) -> const DiagnosticValue& { return c.tail_ess; }),
                              summary.smallest_tail_ess ? Cell(enough_draws) : no_cell));
    const std::string of_all = "of " + std::to_string(chains.order.size()) + " draws";
    if (const auto* statistics = chains.statistics())
        rows.push_back({"Divergences", tally_of(chains, *statistics).divergent, 0L, of_all});
    rows.push_back(
        {"Share of quantities with R̂ below 1.01", summary.share_below ? Cell(*summary.share_below) : no_cell, no_cell,
         summary.share_below ? "of " + std::to_string(summary.n_judged) + " that vary" : why_nothing(summary)});
    rows.push_back({"Probability of such a difference if the chains agree",
                    summary.agreement ? Cell(*summary.agreement) : no_cell, summary.agreement ? Cell(0.001) : no_cell,
                    summary.agreement
                        ? "given their autocorrelation; smallest of all quantities, with Bonferroni's correction"
                        : "too few draws to tell"});
    rows.push_back({"Chains", static_cast<long>(chains.order.n_chains()), no_cell, no_cell});
    rows.push_back({"Draws of each chain", static_cast<long>(chains.order.n_draws()), no_cell,
                    chains.order.n_left_out == 0
                        ? no_cell
                        : Cell(std::to_string(chains.order.n_left_out) + " further draws are left out")});
    rows.push_back({"Probe points", static_cast<long>(places.size()), no_cell, what});
    if (const auto* statistics = chains.statistics())
        add_hamiltonian(judged, *statistics, table);
    rows.push_back(weights_row(weights));
    return table;
}

std::string chain_sentences(const JudgedChains& judged)
{
    const auto& summary = judged.summary;
    std::string text    = chains_text(judged.chains.order) + " "
                       + (judged.class_names.empty() ? "The function's value" : "Class probabilities") + " at "
                       + judged.what + ": ";
    if (!summary.share_below)
        return text + why_nothing(summary);
    text += "R̂ is below 1.01 for " + fixed_text(100 * *summary.share_below, 1) + " %";
    text += summary.agreement
                ? " (such a difference has probability " + number_text(*summary.agreement, 2) + " if the chains agree)"
                : " (too few draws to tell whether the chains agree)";
    if (const auto& worst = summary.worst_r_hat) {
        const auto& r_hat = summary.quantities[*worst].r_hat;
        text += ", at worst " + (r_hat ? number_text(*r_hat, 4) : "without bound") + " for "
                + quantity_name(judged, *worst);
    }
    if (const auto& at = summary.smallest_bulk_ess)
        text += "; smallest bulk ESS " + number_text(*summary.quantities[*at].bulk_ess, 3);
    if (const auto* statistics = judged.chains.statistics())
        text += "; divergences: " + std::to_string(tally_of(judged.chains, *statistics).divergent);
    return text + ".";
}

}   // namespace credence::view_support

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
    const std::size_t all = chains.set->layout().size();
    const auto weights    = evenly_spaced(all, most_weights);
    const std::size_t n   = weights.size();
    const auto write      = [&](std::size_t q, std::span<double> out) {
        auto to = out.begin();
        for (const auto& numbers : chains.order.numbers)
            for (const auto number : numbers)
                *to++ = static_cast<double>(chains.set->draw_number(number)[weights[q]]);
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
        else if (r_hat.reason() == Undefined::stuck)
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

/// The expensive results, and the points at which they were computed.
struct ChainDiagnostics {
    ProbePoints probes;
    ConvergenceSummary summary;
    JudgedWeights weights;
    std::vector<std::string> class_names;   // empty: a regression

    JudgedChains of(const ChainSnapshot& chains) const
    {
        return {.chains      = chains,
                .places      = probes.names,
                .what        = probes.what,
                .class_names = class_names,
                .summary     = summary,
                .weights     = weights};
    }
};

/// Identifies diagnostics by snapshot and points.
/// The view and the summary of a run share them. @return  null: stopped
std::shared_ptr<const ChainDiagnostics> diagnostics_of(const RunSnapshot& run, const ChainSnapshot& chains,
                                                       const ViewOptions& options, const std::stop_token& stop)
{
    using Key = SnapshotKey<int, std::optional<std::pair<Range, Range>>>;   // cells and region of the probes
    static ResultCache<Key, ChainDiagnostics> memory(2);
    const Key key{run, std::min(ProbeOptions{}.cells, options.map.cells), options.map.region};
    return memory.find_or_make(key, stop, [&]() -> std::shared_ptr<const ChainDiagnostics> {
        const auto& experiment = *run.experiment;
        const bool classes     = experiment.task() == Task::classification;
        const auto per_place   = classes ? experiment.data->training.n_classes() - 1 : std::size_t{1};
        auto probes      = probe_points(experiment, options, {.most = most_values / (chains.order.size() * per_place)});
        const auto draws = draws_at(run, chains.predictive, probes.inputs, per_place, chains.places, stop);
        auto summary     = draws ? judged(*draws, chains, stop) : std::nullopt;
        auto weights     = summary ? judged_weights(chains, stop) : std::nullopt;
        if (!weights)
            return nullptr;
        return std::make_shared<const ChainDiagnostics>(
            ChainDiagnostics{std::move(probes), std::move(*summary), std::move(*weights),
                             classes ? experiment.data->training.class_names : std::vector<std::string>()});
    });
}

std::optional<Chart> make_chain_convergence(const RunSnapshot& run, const ViewOptions& options,
                                            const std::stop_token& stop)
{
    const auto chains = chain_snapshot(run);
    const auto found  = diagnostics_of(run, chains, options, stop);
    if (!found)
        return {};
    Chart chart{.id = "chain_convergence", .title = "Convergence of the chains"};
    chart.table   = chain_table(found->of(chains));
    chart.caption = chain_sentences(found->of(chains));
    add_picture(chart, *run.experiment, found->probes, found->summary);
    return with_setting(std::move(chart), run, static_cast<int>(chains.order.size()));
}

}   // namespace

std::optional<ChainNumbers> chain_numbers(const RunSnapshot& run, const std::stop_token& stop)
{
    const auto* set = run.snapshot ? sample_set_of(*run.snapshot->posterior) : nullptr;
    if (!set || !set->origin().statistics || why_no_chains(*run.experiment))
        return {};
    try {
        const auto chains = chain_snapshot(run);
        const auto found  = diagnostics_of(run, chains, {}, stop);
        return found ? std::optional(numbers_of(found->of(chains))) : std::nullopt;
    } catch (const Error&) {   // too few draws
        return {};
    }
}

View chain_convergence_view()
{
    return {
        .id    = "chain_convergence",
        .title = "Convergence of the chains",
        .group = ViewGroup::chains,
        .help =
            "Whether the chains agree. Chains that started from different weights should have forgotten their start "
            "and describe the same function. Each class probability (all but the last) or function value, at points "
            "among the data, between them and outside, is one quantity, and all its draws are compared chain by chain. "
            "R̂ compares the spread of all draws with the spread within half-chains, √(((n − 1)/n W + B/n)/W), using "
            "ranks: it is 1 where chains agree, and below 1.01 the chains can be trusted. R̂ of short or "
            "autocorrelated chains exceeds 1.01 even if they agree. The table therefore shows how probable a "
            "difference between chains as large as the observed one would be if all chains sampled one distribution. "
            "The test is an analysis of variance of block means, with blocks four times as long as the autocorrelation "
            "time and Bonferroni's correction over all quantities. Bulk ESS is the number of independent draws that "
            "would give a mean of the same precision; tail ESS is the same for the 5 % and 95 % quantiles. 400 are "
            "enough for most purposes. Costs are per thousand gradients: one gradient is one pass over all data. "
            "E-BFMI = Σ (E_t − E_t₋₁)²/Σ (E_t − Ē)² below 0.3 means that a Hamiltonian chain moves slowly between "
            "energies. A divergent trajectory met a region too steep for its step size, so draws nearby may be "
            "missing. R̂ of the weights is listed last and means little, because swapping two hidden units with all "
            "their weights leaves the function unchanged. Chains can stay at different copies of one function forever, "
            "with different weights and equal predictions. The map shows where in the plane the chains disagree. "
            "Sources: Vehtari, Gelman, Simpson, Carpenter and Bürkner 2021 for R̂ and ESS; Betancourt 2016 for E-BFMI; "
            "Izmailov, Vikram, Hoffman and Wilson 2021 for R̂ of functions compared with R̂ of weights.",
        .cost        = Cost::slow,
        .when_pruned = WhenPruned::whole,
        .why_not     = why_no_chains,
        .make        = make_chain_convergence};
}

}   // namespace credence
