// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/confusion.h"

#include "charts/class_name.h"
#include "charts/number_text.h"
#include "prediction/scores.h"

#include <algorithm>

namespace credence {

Confusion confusion(const ClassPredictions& predictions, std::span<const int> labels,
                    const std::vector<std::string>& class_names)
{
    return {.class_names = class_names_of(class_names, predictions.n_classes),
            .counts      = confusion_counts(predictions, labels),
            .n           = predictions.n_inputs};
}

Chart to_chart(const Confusion& value)
{
    Chart chart{.id = "confusion", .title = "Confusion"};
    if (value.n == 0) {
        chart.message = "There are no labelled inputs to count: give the split a test share above 0.";
        return chart;
    }
    const std::size_t K = value.class_names.size();
    const double last   = static_cast<double>(K) - 1;
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

    Table table{.columns = {{"True class"}}};
    for (const auto& name : value.class_names)
        table.columns.push_back({"predicted " + name});
    table.columns.push_back({"Inputs"});
    table.columns.push_back({"Share right", "", 4});
    int present = 0;
    long right  = 0;
    for (std::size_t t = 0; t < K; ++t) {
        std::vector<Cell> row{value.class_names[t]};
        long sum = 0;
        for (std::size_t p = 0; p < K; ++p) {
            row.emplace_back(value.at(t, p));
            sum += value.at(t, p);
        }
        right += value.at(t, t);
        present += sum > 0 ? 1 : 0;
        row.emplace_back(sum);
        row.push_back(sum > 0 ? Cell(static_cast<double>(value.at(t, t)) / static_cast<double>(sum))
                              : Cell(std::string()));
        table.rows.push_back(std::move(row));
    }
    chart.table   = std::move(table);
    chart.caption = "Counts of true against predicted class over " + std::to_string(value.n) + " inputs; "
                    + std::to_string(right) + " are right.";
    if (present == 1 && K > 1)
        chart.caption += " Only one class occurs among them.";
    return chart;
}

}   // namespace credence
