// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweeps/sweep_charts.h"

#include "foundation/number_text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace credence {
namespace {

constexpr double missing_value = std::numeric_limits<double>::quiet_NaN();

Cell cell_of_value(const SweepValue& value)
{
    if (!value.number)
        return value.label;
    const double number = *value.number;
    if (number == std::round(number) && std::abs(number) < 1e15)
        return std::lround(number);
    return number;
}

std::string state_text(const SweepSnapshot& snapshot, std::size_t cell)
{
    const auto state   = snapshot.results.states[cell].state;
    const double share = snapshot.shares[cell];
    if (state == CellState::running && share > 0)
        return number_text(std::floor(100 * share), 3) + " %";
    return name_of(state);
}

std::string with_sd(const SeedSummary& summary)
{
    if (!summary.mean)
        return "no value";
    return number_text(*summary.mean, 3) + (summary.sd ? " ± " + number_text(*summary.sd, 2) : "");
}

std::string seeds_text(std::size_t n) { return n == 1 ? "1 seed" : std::to_string(n) + " seeds"; }

std::string progress_caption(const SweepResults& results, const std::string& what)
{
    return what + " " + shown_title(results.sweep) + "; " + std::to_string(results.n_done()) + " of "
           + std::to_string(results.cells.size()) + " cells are done.";
}

/// Axes that differ between combinations.
std::vector<std::size_t> shown_axes(const Sweep& sweep)
{
    std::vector<std::size_t> out;
    for (std::size_t a = 0; a < sweep.axes.size(); ++a)
        if (!sweep.is_replicate(sweep.axes[a]) && sweep.axes[a].values.size() > 1)
            out.push_back(a);
    return out;
}

std::string title_of_axis(const Sweep& sweep, const std::string& name)
{
    for (const auto& axis : sweep.axes)
        if (axis.name == name)
            return axis.title();
    return name;
}

enum class PairVerdict { unknown, a_better, b_better, not_shown, same };

PairVerdict verdict_of_pair(const SweepComparison& comparison)
{
    const auto& difference = comparison.difference;
    if (difference.n_a < 2 || !difference.mean)
        return PairVerdict::unknown;
    if (!difference.probability_less || !difference.half_width)   // all differences are equal
        return *difference.mean == 0 ? PairVerdict::same : PairVerdict::unknown;
    if (!comparison.p_holm || *comparison.p_holm > 0.05 || !comparison.a_better)
        return PairVerdict::not_shown;
    return *comparison.a_better > 0.5 ? PairVerdict::a_better : PairVerdict::b_better;
}

std::string verdict_words(const SweepComparison& comparison)
{
    switch (verdict_of_pair(comparison)) {
    case PairVerdict::unknown: return comparison.difference.n_a == 0 ? "not done yet" : "more seeds are needed";
    case PairVerdict::a_better: return "A is better";
    case PairVerdict::b_better: return "B is better";
    case PairVerdict::same: return "equal";
    case PairVerdict::not_shown: break;
    }
    return "no difference shown";
}

std::string sentence_of_pair(const Sweep& sweep, const SweepComparison& one)
{
    const auto& difference = one.difference;
    const std::string what = (one.axis.empty() ? std::string() : title_of_axis(sweep, one.axis) + " ") + one.a
                             + " against " + one.b + (one.others.empty() ? "" : " (" + one.others + ")") + ": ";
    const auto unit = one.score.unit.empty() ? std::string() : " " + one.score.unit;
    if (difference.n_a == 0 || !difference.mean)
        return what + "not available yet: both sides need a finished cell with the same seed.";
    const std::string size = number_text(std::abs(*difference.mean), 2) + unit;
    const std::string side = *difference.mean < 0 ? " is lower" : " is higher";
    if (difference.n_a == 1)
        return what + one.score.column() + " of " + one.a + side + " by " + size
               + " with one seed, which does not show random variation; use at least three seeds.";
    if (!difference.probability_less || !difference.half_width)
        return *difference.mean == 0
                   ? what + "the same " + one.score.column() + " with each of " + seeds_text(difference.n_a) + "."
                   : what + one.score.column() + " of " + one.a + side + " by " + size + " with each of "
                         + seeds_text(difference.n_a)
                         + ": equal differences carry no information about random variation.";
    std::string sentence = what + one.score.column() + " of " + one.a + side + " by " + size + " on average over "
                           + seeds_text(difference.n_a) + "; ";
    if (one.a_better) {
        const bool a = *one.a_better >= 0.5;
        sentence += "P(" + (a ? one.a : one.b)
                    + " is better) = " + percent_text(rounded_number(a ? *one.a_better : 1 - *one.a_better, 3));
    } else {
        sentence += "P(" + one.a + " is lower) = " + percent_text(rounded_number(*difference.probability_less, 3));
    }
    return sentence + ". 95 % interval: " + size + " ± " + number_text(*difference.half_width, 2) + unit
           + ", p = " + number_text(*difference.p_value, 2) + ", Holm-adjusted for " + std::to_string(one.n_compared)
           + (one.n_compared == 1 ? " comparison " : " comparisons ") + number_text(one.p_holm.value_or(1), 2)
           + ". With " + seeds_text(difference.n_a) + ", a true difference of "
           + number_text(*difference.detectable(), 2) + unit + " is detected with a power of 80 %.";
}

/// "Lowest mean: 0.1, 0.123 ± 0.004." Empty: nothing to choose from.
std::string best_words(const SweepResults& results, const ScoreName& score)
{
    const auto less = less_is_better(score.name);
    if (!less)
        return {};
    const SweepCombination* best = nullptr;
    SeedSummary best_summary;
    std::size_t known       = 0;
    const auto combinations = combinations_of(results);
    for (const auto& combination : combinations) {
        const auto summary = over_seeds(results, combination, score);
        if (!summary.mean)
            continue;
        ++known;
        if (!best || (*less ? *summary.mean < *best_summary.mean : *summary.mean > *best_summary.mean)) {
            best         = &combination;
            best_summary = summary;
        }
    }
    if (known < 2)
        return {};
    return std::string(*less ? " Lowest" : " Highest") + " mean: " + best->words + ", " + with_sd(best_summary) + ".";
}

Table cells_so_far(const SweepSnapshot& snapshot)
{
    const auto& results = snapshot.results;
    const auto names    = summarised_scores(results);
    const bool failed   = std::any_of(results.states.begin(), results.states.end(),
                                      [](const CellStatus& status) { return status.state == CellState::failed; });
    Table table;
    for (const auto& axis : results.sweep.axes)
        table.columns.push_back({.name = axis.title()});
    table.columns.push_back({.name = "State"});
    for (const auto& name : names)
        table.columns.push_back({.name = name.column(), .unit = name.unit});
    table.columns.push_back({.name = "Time", .unit = "s", .decimals = 1});
    if (failed)
        table.columns.push_back({.name = "Error message"});
    for (std::size_t i = 0; i < results.cells.size(); ++i) {
        std::vector<Cell> row;
        for (std::size_t a = 0; a < results.sweep.axes.size(); ++a)
            row.push_back(cell_of_value(results.sweep.axes[a].values[results.cells[i].at[a]]));
        row.emplace_back(state_text(snapshot, i));
        const auto& scores = results.scores[i];
        for (const auto& name : names)
            row.emplace_back(scores ? scores->value(name).value_or(missing_value) : missing_value);
        row.emplace_back(scores ? scores->seconds.value_or(missing_value) : missing_value);
        if (failed)
            row.emplace_back(results.states[i].sentence);
        table.rows.push_back(std::move(row));
    }
    return table;
}

}   // namespace

Chart sweep_cells_chart(const SweepSnapshot& snapshot)
{
    Chart chart{.id = "sweep_cells", .title = "Cells of the sweep"};
    chart.caption = progress_caption(snapshot.results, "One row per run of");
    chart.table   = cells_so_far(snapshot);
    return chart;
}

Chart sweep_summary_chart(const SweepResults& results, const ScoreName& score)
{
    Chart chart{.id = "sweep_summary", .title = "Mean and standard deviation over the seeds"};
    if (results.n_done() == 0) {
        chart.message = "No cell is done yet.";
        return chart;
    }
    if (score.name.empty()) {
        chart.message = "The finished cells have no scores: their results cannot be scored.";
        return chart;
    }
    const auto axes = shown_axes(results.sweep);
    Table table;
    for (const auto a : axes)
        table.columns.push_back({.name = results.sweep.axes[a].title()});
    table.columns.push_back({.name = "Seeds done"});
    table.columns.push_back({.name = "Mean " + score.column(), .unit = score.unit});
    table.columns.push_back({.name = "Standard deviation", .unit = score.unit});
    for (const auto& combination : combinations_of(results)) {
        const auto summary = over_seeds(results, combination, score);
        std::vector<Cell> row;
        for (const auto a : axes)
            row.push_back(cell_of_value(results.sweep.axes[a].values[combination.at[a]]));
        row.emplace_back(static_cast<long>(summary.n));
        row.emplace_back(summary.mean.value_or(missing_value));
        row.emplace_back(summary.sd.value_or(missing_value));
        table.rows.push_back(std::move(row));
    }
    chart.table   = std::move(table);
    chart.caption = progress_caption(results, "Mean and standard deviation (divisor n − 1) of " + score.column()
                                                  + " over the finished seeds, in")
                    + best_words(results, score);
    return chart;
}

Chart sweep_all_scores_chart(const SweepResults& results)
{
    Chart chart{.id = "sweep_all_scores", .title = "All scores over the seeds"};
    if (results.n_done() == 0) {
        chart.message = "No cell is done yet.";
        return chart;
    }
    chart.table   = summary_table(results);
    chart.caption = progress_caption(results,
                                     "Mean and standard deviation (divisor n − 1) of every score over the seeds, in");
    return chart;
}

std::optional<Chart> sweep_chosen_chart(const SweepResults& results)
{
    auto table = results.sweep.choose ? chosen_table(results) : std::nullopt;
    if (!table)
        return {};
    Chart chart{.id = "sweep_chosen", .title = "Chosen on the validation set"};
    const auto& choice = *results.sweep.choose;
    chart.caption      = progress_caption(results, title_of_axis(results.sweep, choice.axis) + " with the best mean "
                                                       + choice.by
                                                       + " on the validation set, and its scores on the test set, in");
    if (table->rows.empty())
        chart.message = "No selection yet: no finished cell has validation-set scores.";
    else
        chart.table = std::move(*table);
    return chart;
}

SweepDifferences sweep_differences(const SweepResults& results, const ScoreName& score)
{
    SweepDifferences out{.chart = {.id = "sweep_comparison", .title = "Differences, paired by seed"}, .sentences = {}};
    Table table;
    table.columns          = {{.name = "Setting"},
                              {.name = "A"},
                              {.name = "B"},
                              {.name = "Others"},
                              {.name = results.sweep.replicates == "seed" ? "Seeds" : "Replicates"},
                              {.name = "A − B", .unit = score.unit},
                              {.name = "± (95 %)", .unit = score.unit},
                              {.name = "P(A better)", .decimals = 3},
                              {.name = "p", .decimals = 3},
                              {.name = "p (Holm)", .decimals = 3},
                              {.name = "Detectable", .unit = score.unit},
                              {.name = "Verdict"}};
    const auto comparisons = results.n_done() == 0 || score.name.empty() ? std::vector<SweepComparison>()
                                                                         : comparisons_of(results);
    std::size_t compared   = 0;
    for (const auto& one : comparisons) {
        if (one.score != score)
            continue;
        compared               = one.n_compared;
        const auto& difference = one.difference;
        table.rows.push_back({one.axis.empty() ? std::string("all") : title_of_axis(results.sweep, one.axis), one.a,
                              one.b, one.others, static_cast<long>(difference.n_a),
                              difference.mean.value_or(missing_value), difference.half_width.value_or(missing_value),
                              one.a_better.value_or(missing_value), difference.p_value.value_or(missing_value),
                              one.p_holm.value_or(missing_value), difference.detectable().value_or(missing_value),
                              verdict_words(one)});
        out.sentences.push_back(sentence_of_pair(results.sweep, one));
    }
    if (results.n_done() == 0)
        out.chart.message = "No cell is done yet.";
    else if (!score.name.empty() && !less_is_better(score.name))
        out.chart.message = score.column() + ": neither smaller nor larger is better; choose another score.";
    else if (table.rows.empty())
        out.chart
            .message = shown_axes(results.sweep).empty()
                           ? "There is nothing to compare: only the seed has more than one value."
                           : "There is nothing to compare yet: both sides need a finished cell with the same seed.";
    else
        out.chart.table = std::move(table);
    out.chart.caption = progress_caption(
        results, "Differences of " + score.column()
                     + ", each seed of A with the same seed of B, by the paired t test; ± is the half-width of the "
                       "95 % interval, and Detectable the true difference detected with a power of 80 %. p (Holm) "
                       "is adjusted for the "
                     + std::to_string(compared) + (compared == 1 ? " comparison" : " comparisons")
                     + " in this table. In");
    return out;
}

std::string sweep_state_text(const SweepResults& results)
{
    const auto count = [&](CellState state) {
        return std::count_if(results.states.begin(), results.states.end(),
                             [state](const CellStatus& status) { return status.state == state; });
    };
    const auto all  = static_cast<long>(results.cells.size());
    const long done = count(CellState::done), failed = count(CellState::failed);
    std::string words = done == all ? "all are done" : done == 0 ? "none is done yet" : grouped_text(done) + " done";
    if (failed > 0)
        words += ", " + grouped_text(failed) + " failed";
    return words;
}

}   // namespace credence
