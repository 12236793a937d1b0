// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/chain_table.h"

#include "chains/energy.h"
#include "charts/number_text.h"

namespace credence::view_support {

namespace {

using Row = std::vector<Cell>;

const Cell no_cell = std::string();

/// The first row has the step size; each sentence of the warm-up report has its own row, so that
/// the table fits on a page.
void add_warmup(const ChainSnapshot& chains, const ChainSummary& told, std::size_t c, Table& table)
{
    table.rows.push_back({"Step size of chain " + std::to_string(chains.order.chains[c]) + ", and its warm-up",
                          told.step_size, no_cell, told.warmup.empty() ? std::string() : told.warmup.front()});
    for (std::size_t i = 1; i < told.warmup.size(); ++i)
        table.rows.push_back({no_cell, no_cell, no_cell, told.warmup[i]});
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

Row row_of(const std::string& name, const DiagnosticValue& value, Cell beside, const std::string& where)
{
    return {name, value ? Cell(*value) : no_cell, std::move(beside), value ? where : value.why_not()};
}

Row worst_row(const JudgedChains& judged)
{
    const std::string name = "Worst R̂";
    const auto& summary    = judged.summary;
    if (!summary.worst_r_hat)
        return {name, no_cell, no_cell, why_nothing(summary)};
    const std::string where = quantity_name(judged, *summary.worst_r_hat);
    const auto& r_hat       = summary.quantities[*summary.worst_r_hat].r_hat;
    if (!r_hat)
        return {name, no_cell, agreeing_r_hat, where + ": " + r_hat.why_not()};
    return {name, *r_hat, agreeing_r_hat, where};
}

template <class ValueOf>
Row smallest_row(const JudgedChains& judged, const std::string& name, const std::optional<std::size_t>& at,
                 const ValueOf& value_of)
{
    constexpr double enough = 400;
    if (!at)
        return {name, no_cell, no_cell, value_of(judged.summary.quantities.front()).why_not()};
    return {name, *value_of(judged.summary.quantities[*at]), enough, quantity_name(judged, *at)};
}

struct Tally {
    long divergent = 0, limited = 0, gradients = 0, warmup_gradients = 0;
    double acceptance = 0;   // mean
};

Tally tally_of(const ChainSnapshot& chains, const ChainStatistics& told)
{
    Tally out;
    for (std::size_t c = 0; c < chains.order.n_chains(); ++c) {
        for (const auto number : chains.order.numbers[c]) {
            out.divergent += told.draws[number].divergent;
            out.limited += told.draws[number].at_depth_limit;
            out.acceptance += told.draws[number].acceptance / static_cast<double>(chains.order.size());
        }
        const auto k = static_cast<std::size_t>(chains.order.chains[c]);
        if (k < told.chains.size()) {
            out.gradients += told.chains[k].gradients;
            out.warmup_gradients += told.chains[k].warmup_gradients;
        }
    }
    return out;
}

void add_hamiltonian(const JudgedChains& judged, const ChainStatistics& told, Table& table)
{
    const auto& chains       = judged.chains;
    const Tally count        = tally_of(chains, told);
    const std::string of_all = "of " + std::to_string(chains.order.size()) + " draws";
    const auto& smallest     = judged.summary.smallest_bulk_ess;
    for (std::size_t c = 0; c < chains.order.n_chains(); ++c)
        if (const auto k = static_cast<std::size_t>(chains.order.chains[c]); k < told.chains.size())
            add_warmup(chains, told.chains[k], c, table);
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
    table.rows.push_back({"Divergences", count.divergent, 0L, of_all});
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

}   // namespace

Table chain_table(const JudgedChains& judged)
{
    const auto& [chains, places, what, class_names, summary, weights] = judged;
    Table table{.columns = {{"Diagnostic"}, {"Value"}, {"Reference"}, {"Where, or why not"}}, .rows = {}};
    auto& rows = table.rows;
    rows.push_back({"Chains", static_cast<long>(chains.order.n_chains()), no_cell, no_cell});
    rows.push_back({"Draws of each chain", static_cast<long>(chains.order.n_draws()), no_cell,
                    chains.order.n_left_out == 0
                        ? no_cell
                        : Cell(std::to_string(chains.order.n_left_out) + " further draws are left out")});
    rows.push_back({"Probe points", static_cast<long>(places.size()), no_cell, what});
    rows.push_back(
        {"Share of quantities with R̂ below 1.01", summary.share_below ? Cell(*summary.share_below) : no_cell, no_cell,
         summary.share_below ? "of " + std::to_string(summary.n_judged) + " that vary" : why_nothing(summary)});
    rows.push_back({"Probability of such a difference if the chains agree",
                    summary.agreement ? Cell(*summary.agreement) : no_cell, summary.agreement ? Cell(0.001) : no_cell,
                    summary.agreement
                        ? "given their autocorrelation; smallest of all quantities, with Bonferroni's correction"
                        : "too few draws to tell"});
    rows.push_back(worst_row(judged));
    rows.push_back(smallest_row(judged, "Smallest bulk ESS", summary.smallest_bulk_ess,
                                [](const Convergence& c) -> const DiagnosticValue& { return c.bulk_ess; }));
    rows.push_back(smallest_row(judged, "Smallest tail ESS", summary.smallest_tail_ess,
                                [](const Convergence& c) -> const DiagnosticValue& { return c.tail_ess; }));
    if (const auto* told = chains.statistics())
        add_hamiltonian(judged, *told, table);
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
    if (const auto* told = judged.chains.statistics())
        text += "; divergences: " + std::to_string(tally_of(judged.chains, *told).divergent);
    return text + ".";
}

}   // namespace credence::view_support
