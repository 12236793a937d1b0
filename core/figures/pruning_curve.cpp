// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/pruning_curve.h"

#include <algorithm>

namespace credence {

namespace {

struct PruningScore {
    const char* title;
    const char* unit;
    double factor;
    double ClassificationScores::*value;
};
constexpr std::array pruning_scores_shown{PruningScore{"Error", "%", 100, &ClassificationScores::error},
                                          PruningScore{"NLL", "nats", 1, &ClassificationScores::nll},
                                          PruningScore{"ECE", "", 1, &ClassificationScores::ece}};

Panel panel_of_pruning(const PruningScore& score, const PruningCurve& value)
{
    Panel panel{.title = score.title,
                .x     = {.label = "Weights removed", .unit = "%", .range = Range{0, 100}},
                .y     = {.label = score.title, .unit = score.unit}};
    for (std::size_t c = 0; c < value.curves.size(); ++c) {
        const auto& curve = value.curves[c];
        const Tone tone   = category(static_cast<int>(c));
        Line line{.name = curve.name, .tone = tone, .style = static_cast<LineStyle>(c % 3)};
        for (const auto& point : curve.points) {
            line.x.push_back(100 * point.share);
            line.y.push_back(score.factor * point.scores.*score.value);
        }
        panel.series.push_back(std::move(line));
        if (curve.drawn.empty())
            continue;
        Points drawn{.name = curve.name + ", " + std::to_string(curve.n_draws)
                             + (curve.n_draws == 1 ? " draw" : " draws"),
                     .tone = tone};
        for (const auto& point : curve.drawn) {
            drawn.x.push_back(100 * point.share);
            drawn.y.push_back(score.factor * point.scores.*score.value);
        }
        panel.series.push_back(std::move(drawn));
    }
    if (value.now)
        panel.series.push_back(Rule{.direction = Rule::Direction::vertical,
                                    .at        = 100 * *value.now,
                                    .label     = "now",
                                    .tone      = {Tone::Kind::accent}});
    return panel;
}

const PruningCurve::Point* at_share(const std::vector<PruningCurve::Point>& points, double share)
{
    const auto found = std::find_if(points.begin(), points.end(),
                                    [&](const auto& point) { return point.share == share; });
    return found == points.end() ? nullptr : &*found;
}

Table table_of_pruning(const PruningCurve& value)
{
    const bool drawn = std::any_of(value.curves.begin(), value.curves.end(),
                                   [](const auto& curve) { return !curve.drawn.empty(); });
    Table table{.columns = {{"Removed by"}, {"Removed", "%"}, {"Error", "%", 2}, {"NLL", "nats", 4}, {"ECE", "", 4}},
                .rows    = {}};
    if (drawn)
        for (const Column& column :
             {Column{"Error by draws", "%", 2}, Column{"NLL by draws", "nats", 4}, Column{"ECE by draws", "", 4}})
            table.columns.push_back(column);
    for (const auto& curve : value.curves)
        for (const double share : published_shares) {
            const auto* mean = at_share(curve.points, share);
            if (!mean)
                continue;
            std::vector<Cell> row{curve.name, 100 * share};
            const auto add = [&row](const PruningCurve::Point* point) {
                for (const auto& score : pruning_scores_shown)
                    row.push_back(point ? Cell(score.factor * point->scores.*score.value) : Cell(std::string()));
            };
            add(mean);
            if (drawn)
                add(at_share(curve.drawn, share));
            table.rows.push_back(std::move(row));
        }
    return table;
}

}   // namespace

Chart to_chart(const PruningCurve& value)
{
    Chart chart{.id = "pruning_curve", .title = "Pruning curve", .columns = 3};
    for (const auto& score : pruning_scores_shown)
        chart.panels.push_back(panel_of_pruning(score, value));
    chart.table = table_of_pruning(value);
    chart.caption =
        "Error, NLL and ECE when a share of the weights is set to zero"
        + std::string(value.per_layer ? ", of each layer by itself" : "") + (value.biases ? "" : ", biases kept")
        + ". Lines: the network at its mean weights; marks: the mean over a few samples of the remaining weights. "
          "Rows: the "
        + value.rows + ".";
    return chart;
}

}   // namespace credence
