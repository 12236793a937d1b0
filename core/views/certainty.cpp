// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/classification_figures.h"

#include "charts/chart.h"
#include "prediction/scores.h"
#include "views/scored_predictions.h"
#include "views/view_support.h"

#include <algorithm>
#include <numeric>

namespace credence {

CertaintyTable certainty_table(const SampleView<float>& probabilities, std::span<const int> labels,
                               std::span<const double> levels)
{
    CertaintyTable out{.n = probabilities.n_inputs, .n_samples = probabilities.n_samples, .rows = {}};
    if (probabilities.n_inputs == 0)
        return out;
    const auto predictions = class_predictions(probabilities);
    const auto correct     = correct_each(predictions, labels);
    for (const auto& intervals : credible_intervals_at(probabilities, levels)) {
        const auto verdict = certainty(predictions, intervals);
        const double level = intervals.level;
        out.rows.push_back({1, level, certainty_counts(verdict.disjoint, correct)});
        out.rows.push_back({2, level, certainty_counts(verdict.probable, correct)});
    }
    return out;
}

CertaintyTable certainty_table(const SetPredictions& predictions, std::span<const int> labels)
{
    CertaintyTable out{.n = predictions.classes.n_inputs, .n_samples = predictions.n_samples, .rows = {}};
    if (out.n == 0)
        return out;
    const auto correct = correct_each(predictions.classes, labels);
    std::vector<std::size_t> order(predictions.levels.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return predictions.levels[a] < predictions.levels[b]; });
    for (const auto l : order) {
        out.rows.push_back({1, predictions.levels[l], certainty_counts(predictions.certainty[l].disjoint, correct)});
        out.rows.push_back({2, predictions.levels[l], certainty_counts(predictions.certainty[l].probable, correct)});
    }
    return out;
}

Chart to_chart(const CertaintyTable& value)
{
    Chart chart{.id = "certainty", .title = "Certainty"};
    if (value.n == 0) {
        chart.message = view_support::no_labelled_inputs;
        return chart;
    }
    Table table{.columns = {{"Criterion"},
                            {"Level α"},
                            {"Certain, correct"},
                            {"Certain, wrong"},
                            {"Uncertain, correct"},
                            {"Uncertain, wrong"}}};
    for (const auto& row : value.rows)
        table.rows.push_back({row.criterion == 1 ? "(i) intervals disjoint" : "(ii) probability ≥ α",
                              percent_text(row.level), row.counts.certain_correct, row.counts.certain_wrong,
                              row.counts.uncertain_correct, row.counts.uncertain_wrong});
    chart.table   = std::move(table);
    chart.caption = "Correct and wrong predictions of " + std::to_string(value.n)
                    + " inputs, counted by certainty. (i): the credible interval of the predicted class "
                      "overlaps no other class's interval; (ii): its mean probability reaches α.";
    if (value.n_samples == 1)
        chart.caption += " There is only one sample, so every interval is a point and (i) always holds.";
    return chart;
}

using namespace view_support;

namespace {

std::optional<Chart> make_certainty(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    const auto scored = scored_predictions(run, options, stop);
    if (!scored)
        return {};
    return on_rows(to_chart(certainty_table(scored->set, scored->labels)), run, *scored);
}

}   // namespace

View certainty_view()
{
    return {
        .id    = "certainty",
        .title = "Certainty",
        .group = ViewGroup::uncertainty,
        .help = "Test inputs counted by correct or wrong and by certain or uncertain, at several levels. In a good run "
                "few are certain and wrong, and many are certain and correct. "
                "Criterion (i): the credible interval of the predicted class overlaps no other interval; (ii): its "
                "mean probability is at least α. Source: Posch and Pilz, "
                "Table III.",
        .asks = Asks::labels,
        .cost = Cost::all_rows,
        .why_not = why_no_classes_to_count,
        .make    = make_certainty};
}

}   // namespace credence
