// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/classification_figures.h"

#include "charts/chart.h"
#include "data/dataset.h"
#include "prediction/scores.h"
#include "views/scored_predictions.h"
#include "views/view_support.h"

#include <algorithm>

namespace credence {

using namespace view_support;

namespace {

constexpr std::size_t most_columns = 100, most_classes = 2000, most_pairs = 50;

/// One row and one column per class.
Table all_counts(const Confusion& value)
{
    const std::size_t K = value.class_names.size();
    Table table{.columns = {{"True class"}}};
    for (const auto& name : value.class_names)
        table.columns.push_back({"predicted " + name});
    table.columns.push_back({"Inputs"});
    table.columns.push_back({"Share right", "", 4});
    for (std::size_t t = 0; t < K; ++t) {
        std::vector<Cell> row{value.class_names[t]};
        long sum = 0;
        for (std::size_t p = 0; p < K; ++p) {
            row.emplace_back(value.at(t, p));
            sum += value.at(t, p);
        }
        row.emplace_back(sum);
        row.push_back(sum > 0 ? Cell(static_cast<double>(value.at(t, t)) / static_cast<double>(sum))
                              : Cell(std::string()));
        table.rows.push_back(std::move(row));
    }
    return table;
}

/// The pairs that are confused most often: with 1,000 classes a full table would have a million
/// counts.
Table worst_pairs(const Confusion& value, std::span<const long> inputs)
{
    const std::size_t K = value.class_names.size();
    std::vector<std::size_t> pairs;
    for (std::size_t i = 0; i < K * K; ++i)
        if (i / K != i % K && value.counts[i] > 0)
            pairs.push_back(i);
    const auto shown = std::min(most_pairs, pairs.size());
    std::partial_sort(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(shown), pairs.end(),
                      [&](std::size_t a, std::size_t b) {
        return value.counts[a] != value.counts[b] ? value.counts[a] > value.counts[b] : a < b;
    });
    pairs.resize(shown);
    Table table{.columns = {{"True class"}, {"Predicted class"}, {"Inputs"}, {"Share of the true class", "", 4}},
                .rows    = {}};
    for (const auto i : pairs)
        table.rows.push_back({value.class_names[i / K], value.class_names[i % K], value.counts[i],
                              static_cast<double>(value.counts[i]) / static_cast<double>(inputs[i / K])});
    return table;
}

std::optional<Chart> make_confusion(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    const auto scored = scored_predictions(run, options, stop);
    if (!scored)
        return {};
    return on_rows(to_chart(confusion(scored->set.classes, scored->labels, run.experiment->data->training.class_names)),
                   run, *scored);
}

}   // namespace

Confusion confusion(const ClassPredictions& predictions, std::span<const int> labels,
                    const std::vector<std::string>& class_names)
{
    const auto K = static_cast<std::size_t>(predictions.n_classes);
    return {.class_names = class_names_of(class_names, predictions.n_classes),
            .counts      = K <= most_classes ? confusion_counts(predictions, labels) : std::vector<long>(),
            .n           = predictions.n_inputs};
}

Chart to_chart(const Confusion& value)
{
    Chart chart{.id = "confusion", .title = "Confusion"};
    if (value.n == 0) {
        chart.message = view_support::no_labelled_inputs;
        return chart;
    }
    const std::size_t K = value.class_names.size();
    if (K > most_classes) {
        chart.message = "A table of " + std::to_string(K) + " × " + std::to_string(K)
                        + " classes is too large to be counted here, expected at most " + std::to_string(most_classes)
                        + " classes.";
        return chart;
    }
    const double last = static_cast<double>(K) - 1;
    HeatMap map{
        .name    = "Inputs",
        .nx      = static_cast<int>(K),
        .ny      = static_cast<int>(K),
        .x       = {0, last},
        .y       = {0, last},
        .z       = std::vector<float>(value.counts.begin(), value.counts.end()),
        .z_range = {0, static_cast<double>(std::max(1L, *std::max_element(value.counts.begin(), value.counts.end())))},
        .map     = ColourMap::cividis};
    Panel panel{.title = "",
                .x = {.label = "Predicted class", .range = Range{-0.5, last + 0.5}, .categories = value.class_names},
                .y = {.label = "True class", .range = Range{last + 0.5, -0.5}, .categories = value.class_names},
                .series       = {},
                .legend       = true,
                .equal_aspect = true};
    panel.series.push_back(std::move(map));
    chart.panels.push_back(std::move(panel));

    std::vector<long> inputs(K, 0);   // of each true class
    long right = 0;
    for (std::size_t t = 0; t < K; ++t) {
        for (std::size_t p = 0; p < K; ++p)
            inputs[t] += value.at(t, p);
        right += value.at(t, t);
    }
    const auto present = std::count_if(inputs.begin(), inputs.end(), [](long n) { return n > 0; });
    chart.table        = K <= most_columns ? all_counts(value) : worst_pairs(value, inputs);
    chart.caption      = "Counts of true against predicted class over " + std::to_string(value.n) + " inputs; "
                    + std::to_string(right) + " are right.";
    if (K > most_columns)
        chart.caption += " The table has the pairs of classes that are confused most often.";
    if (present == 1 && K > 1)
        chart.caption += " They all belong to one class.";
    return chart;
}

View confusion_view()
{
    return {
        .id    = "confusion",
        .title = "Confusion",
        .group = ViewGroup::scores,
        .help =
            "How often each true class (rows) is predicted as each class (columns). Off-diagonal entries are errors.",
        .asks    = Asks::labels,
        .cost    = Cost::all_rows,
        .why_not = why_no_classes_to_count,
        .make    = make_confusion};
}

}   // namespace credence
