// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/decision_map.h"

#include "foundation/statistics.h"
#include "views/scored_predictions.h"
#include "views/view_support.h"

#include "charts/decision_map.h"
#include "data/dataset.h"
#include "foundation/error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <utility>

namespace credence {

using namespace view_support;

namespace {

constexpr std::size_t most_points_drawn = 5000;                  ///< drawn in one picture
constexpr std::size_t most_in_legend    = 10;                    ///< classes in a legend
constexpr int fewest_cells_a_side = 8, most_cells_a_side = 60;   ///< along each side
constexpr double margin_of_map = 0.04;                           ///< around the points, a share of their range

std::optional<std::string> why_no_points(const Experiment& experiment)
{
    if (!experiment.outputs)
        return "A map of points needs imported predictions with two inputs per row. For other runs see the decision "
               "map.";
    const auto& own = experiment.outputs->own;
    if (own.n_inputs != 2)
        return "A map of points needs two inputs for each row: " + own.name
               + (own.inputs.empty()
                      ? " has no array “inputs”."
                      : " has " + std::to_string(own.n_inputs) + (own.n_inputs == 1 ? "." : " for each."));
    return {};
}

/// One of the two inputs of all rows.
std::vector<double> coordinate(const ImportedOutputs::Part& own, std::size_t which)
{
    std::vector<double> values;
    values.reserve(own.n);
    for (std::size_t i = 0; i < own.n; ++i)
        values.push_back(own.inputs[2 * i + which]);
    return values;
}

Panel empty_map(const ImportedOutputs::Part& own)
{
    Panel panel;
    panel.x = {.label = "input 0", .range = widened_range(coordinate(own, 0), margin_of_map)};
    panel.y = {.label = "input 1", .range = widened_range(coordinate(own, 1), margin_of_map)};
    return panel;
}

/// The drawn rows, evenly spaced over the scored ones: indices in the order of `scored`.
std::vector<std::size_t> rows_to_draw(const ScoredPredictions& scored)
{
    return evenly_spaced(scored.rows.size(), most_points_drawn);
}

void add_point(Points& points, const ImportedOutputs::Part& own, std::size_t row)
{
    points.x.push_back(own.inputs[2 * row]);
    points.y.push_back(own.inputs[2 * row + 1]);
}

/// Draws each class with a colour and a marker; markers are hollow where the prediction is
/// uncertain.
/// @param classes  of each scored row: predicted or true
void add_classes(Panel& panel, const ImportedOutputs::Part& own, const ScoredPredictions& scored,
                 std::span<const int> classes)
{
    std::map<std::pair<int, bool>, Points> series;   // certain points first, under the class name
    for (const std::size_t i : rows_to_draw(scored)) {
        const int k          = classes[i];
        const bool uncertain = !scored.at_level().disjoint[i];
        add_point(series[{k, uncertain}], own, scored.rows[i]);
    }
    int last = -1;
    for (auto& [which, points] : series) {
        const auto [k, uncertain] = which;
        if (k != std::exchange(last, k))
            points.name = class_name(own.class_names, k);   // named once for both
        points.tone   = category(k);
        points.filled = !uncertain;
        panel.series.push_back(std::move(points));
    }
    const auto named = std::count_if(panel.series.begin(), panel.series.end(),
                                     [](const Series& one) { return !std::get<Points>(one).name.empty(); });
    if (static_cast<std::size_t>(named) > most_in_legend)
        for (auto& one : panel.series)
            std::get<Points>(one).name.clear();
}

/// Mean predictive entropy of the rows in each cell; cells without rows stay empty.
void add_entropy(Panel& panel, const ImportedOutputs::Part& own, const ScoredPredictions& scored)
{
    const auto side = static_cast<int>(std::lround(std::sqrt(static_cast<double>(scored.rows.size()))));
    const int cells = std::clamp(side, fewest_cells_a_side, most_cells_a_side);
    const auto grid = MapGrid::over(*panel.x.range, *panel.y.range, cells);
    std::vector<double> sum(static_cast<std::size_t>(cells) * static_cast<std::size_t>(cells));
    std::vector<long> count(sum.size());
    const auto cell_of = [cells](double value, Range edges) {
        const double share = (value - edges.first) / (edges.second - edges.first);
        return static_cast<std::size_t>(std::clamp(static_cast<int>(share * cells), 0, cells - 1));
    };
    for (std::size_t i = 0; i < scored.rows.size(); ++i) {
        const std::size_t row = scored.rows[i];
        const std::size_t at  = cell_of(own.inputs[2 * row + 1], *panel.y.range) * static_cast<std::size_t>(cells)
                               + cell_of(own.inputs[2 * row], *panel.x.range);
        sum[at] += scored.set.classes.entropy[i];
        ++count[at];
    }
    HeatMap map{.name    = "Mean predictive entropy",
                .unit    = "nats",
                .nx      = grid.nx,
                .ny      = grid.ny,
                .x       = grid.x,
                .y       = grid.y,
                .z_range = {0, std::log(static_cast<double>(own.class_names.size()))}};
    for (std::size_t i = 0; i < sum.size(); ++i)
        map.z.push_back(count[i] > 0 ? static_cast<float>(sum[i] / static_cast<double>(count[i]))
                                     : std::numeric_limits<float>::quiet_NaN());
    panel.series.push_back(std::move(map));
}

/// Marks the drawn rows that are misclassified. @return their number
std::size_t add_wrong(Panel& panel, const ImportedOutputs::Part& own, const ScoredPredictions& scored)
{
    if (scored.labels.empty())
        return 0;
    Points wrong{.name = "wrong", .tone = {Tone::Kind::wrong}, .marker = Marker::cross, .size = 9, .filled = false};
    for (const std::size_t i : rows_to_draw(scored))
        if (scored.set.classes.predicted[i] != scored.labels[i])
            add_point(wrong, own, scored.rows[i]);
    const std::size_t n = wrong.x.size();
    if (n > 0)
        panel.series.push_back(std::move(wrong));
    return n;
}

std::optional<Chart> make_points_map(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    const auto& own   = run.experiment->outputs->own;
    const auto scored = scored_predictions(run, options, stop);
    if (!scored)
        return {};
    const bool entropies = options.map.points_colour == PointsColour::entropy;
    const bool truth     = options.map.points_colour == PointsColour::true_class;
    if (truth && own.labels.empty())
        throw Error("The true classes of the points are not known: " + own.name + " has no array “labels”.");
    auto panel = empty_map(own);
    if (entropies)
        add_entropy(panel, own, *scored);
    else
        add_classes(panel, own, *scored, truth ? scored->labels : scored->set.classes.predicted);
    const std::size_t wrong = add_wrong(panel, own, *scored);
    const std::size_t drawn = std::min(most_points_drawn, scored->rows.size());

    Chart chart{.id = "points_map", .title = "Points"};
    chart.caption = entropies ? "Mean predictive entropy of the rows in each cell of the plane of the two inputs."
                              : std::string("Each row at its two inputs, in the colour of its ")
                                    + (truth ? "true" : "predicted") + " class; hollow: uncertain by criterion (i).";
    if (wrong > 0)
        chart.caption += " Crosses: " + std::to_string(wrong) + " of " + std::to_string(drawn) + " are wrong.";
    if (!entropies && drawn < scored->rows.size())
        chart.caption += " Drawn: " + std::to_string(drawn) + " of " + std::to_string(scored->rows.size())
                         + " rows, evenly spaced.";
    chart.panels.push_back(std::move(panel));
    return on_rows(std::move(chart), run, *scored);
}

}   // namespace

std::size_t nearest_point(const ImportedOutputs::Part& own, double x, double y)
{
    if (own.n_inputs != 2 || own.n == 0 || own.inputs.size() != 2 * own.n)
        throw Error(own.name + ": found " + std::to_string(own.n_inputs)
                    + " inputs per row, expected two for a map of points.");
    const auto length = [&](std::size_t which) {
        const auto range = widened_range(coordinate(own, which), 0);
        return range.second - range.first;
    };
    const double width = length(0), height = length(1);
    std::size_t nearest = 0;
    double least        = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < own.n; ++i) {
        const double distance = std::hypot((own.inputs[2 * i] - x) / width, (own.inputs[2 * i + 1] - y) / height);
        if (distance < least) {
            least   = distance;
            nearest = i;
        }
    }
    return nearest;
}

View points_map_view()
{
    return {
        .id    = "points_map",
        .title = "Points",
        .group = ViewGroup::predictions,
        .help =
            "Where imported predictions are confident, and where they are wrong: each row of the file at its two "
            "inputs (the array “inputs”, [N × 2]). By class, a point has the colour of its predicted class argmax p̄ "
            "or of its true class. It is hollow if the prediction is uncertain: the credible interval of that class "
            "overlaps another, criterion (i) of Posch and Pilz 2021. By entropy, the colour is the mean predictive "
            "entropy H(p̄) = −Σ p̄ ln p̄ of the rows in a small cell, in nats: 0 if one class is certain, ln K if "
            "all classes are equally likely. Cells without rows stay empty because the network cannot be evaluated "
            "there. Crosses mark errors. Click to select the nearest row.",
        .asks    = Asks::outputs,
        .cost    = Cost::all_rows,
        .why_not = why_no_points,
        .make    = make_points_map};
}

}   // namespace credence
