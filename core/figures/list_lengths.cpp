// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/list_lengths.h"

#include "charts/number_text.h"

#include <algorithm>
#include <numeric>

namespace credence {

namespace {

constexpr std::size_t most_bars = 40;   // longer lists share bars
constexpr std::size_t most_rows = 12;   // of the table next to them; the data of the bars have more

}   // namespace

long ListLengths::total() const { return std::accumulate(counts.begin(), counts.end(), 0L); }

double ListLengths::mean() const
{
    double sum = 0;
    for (std::size_t l = 0; l < counts.size(); ++l)
        sum += static_cast<double>(l) * static_cast<double>(counts[l]);
    return total() ? sum / static_cast<double>(total()) : 0;
}

Chart to_chart(const ListLengths& value)
{
    Chart chart{.id = "list_lengths", .title = "List lengths"};
    const long total = value.total();
    if (total == 0) {
        chart.message = "There are no lists to count.";
        return chart;
    }
    const std::size_t longest = value.counts.size() - 1, a_bar = (longest + most_bars - 1) / most_bars;
    Bars bars{.name = "", .width = 0.85 * static_cast<double>(a_bar), .tone = {Tone::Kind::posterior}, .opacity = 0.7};
    Table table{.columns = {{"Length", "classes"}, {"Rows"}, {"Share", "", 4}}, .rows = {}};
    for (std::size_t from = 1; from <= longest; from += a_bar) {
        long count = 0;
        for (std::size_t l = from; l < std::min(from + a_bar, longest + 1); ++l)
            count += value.counts[l];
        bars.position.push_back(static_cast<double>(from) + 0.5 * static_cast<double>(a_bar - 1));
        bars.height.push_back(static_cast<double>(count) / static_cast<double>(total));
    }
    for (std::size_t l = 1; l <= longest; ++l)
        if (value.counts[l] > 0)
            table.rows.push_back({static_cast<long>(l), value.counts[l],
                                  static_cast<double>(value.counts[l]) / static_cast<double>(total)});
    Panel panel{.title  = "Mean length " + fixed_text(value.mean(), 3),
                .x      = {.label = "Classes in the list"},
                .y      = {.label = "Share of rows"},
                .legend = false};
    if (value.top_1 && value.top_k)
        panel.title += ", top-1 " + fixed_text(*value.top_1, 3) + ", in the list " + fixed_text(*value.top_k, 3);
    panel.x.range = Range{0.4, std::max(4.6, static_cast<double>(longest) + 0.6 * static_cast<double>(a_bar))};
    panel.series.push_back(std::move(bars));
    chart.panels.push_back(std::move(panel));
    if (table.rows.size() <= most_rows)
        chart.table = std::move(table);
    chart.caption = "How many classes the uncertainty-aware top-k keeps for each of " + std::to_string(total) + " "
                    + (value.rows.empty() ? "rows" : value.rows) + ", threshold T = " + number_text(value.threshold, 4)
                    + (value.longest > 0 ? ", at most " + std::to_string(value.longest) + " of " : ", ")
                    + std::to_string(value.n_classes) + " classes"
                    + (a_bar > 1 ? "; each bar covers " + std::to_string(a_bar) + " lengths" : std::string())
                    + ". Source: Hobbhahn 2020, Algorithm 1 and Fig. 5.6.";
    if (value.top_1 && value.top_k)
        chart.caption += " The most probable class is the true one for " + fixed_text(100 * *value.top_1, 2)
                         + " %, the list contains it for " + fixed_text(100 * *value.top_k, 2) + " %.";
    return chart;
}

}   // namespace credence
