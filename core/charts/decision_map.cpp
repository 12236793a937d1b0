// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/decision_map.h"

#include "charts/chart.h"
#include "foundation/enum_names.h"
#include "foundation/error.h"
#include "foundation/statistics.h"
#include "foundation/text.h"

#include <algorithm>
#include <cmath>

namespace credence {

MapGrid MapGrid::over(Range x_edges, Range y_edges, int cells)
{
    if (cells < 1)
        throw Error("Decision map: " + std::to_string(cells) + " cells along each side, expected at least 1.");
    if (!(x_edges.first < x_edges.second && y_edges.first < y_edges.second))
        throw Error("Decision map: the region is empty, expected increasing bounds in x and y.");
    const auto centres = [cells](Range edges) {
        const double half = (edges.second - edges.first) / (2 * cells);
        return Range{edges.first + half, edges.second - half};
    };
    return {cells, cells, centres(x_edges), centres(y_edges)};
}

Range cell_edges(Range centres, int n, bool logarithmic)
{
    if (logarithmic && n > 1)
        return {position_between(centres, n, -0.5, true), position_between(centres, n, n - 0.5, true)};
    const double half = n > 1 ? (centres.second - centres.first) / (2 * (n - 1)) : 0.5;
    return {centres.first - half, centres.second + half};
}

std::vector<double> MapGrid::inputs() const
{
    const auto at = [](Range r, int i, int n) {
        return n > 1 ? r.first + (r.second - r.first) * i / (n - 1) : r.first;
    };
    std::vector<double> out;
    out.reserve(2 * static_cast<std::size_t>(nx) * ny);
    for (int iy = 0; iy < ny; ++iy)
        for (int ix = 0; ix < nx; ++ix) {
            out.push_back(at(x, ix, nx));
            out.push_back(at(y, iy, ny));
        }
    return out;
}

Range widened_range(std::span<const double> values, double share)
{
    if (values.empty())
        return {0, 1};
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    if (*low == *high)
        return {*low - 0.5, *high + 0.5};
    const double margin = share * (*high - *low);
    return {*low - margin, *high + margin};
}

MapPoints map_points(const Dataset& data, std::size_t limit)
{
    if (data.n_features != 2 || data.task != Task::classification)
        throw Error("Decision map: the data have " + std::to_string(data.n_features)
                    + " inputs, expected two inputs and classes.");
    const std::size_t n      = std::min(limit, data.n_rows);
    const std::size_t newest = n < data.n_rows ? limit / 6 : 0;
    auto rows                = evenly_spaced(data.n_rows - newest, n - newest);
    for (std::size_t i = data.n_rows - newest; i < data.n_rows; ++i)
        rows.push_back(i);
    MapPoints out;
    for (const std::size_t i : rows) {
        out.x.push_back(data.row(i)[0]);
        out.y.push_back(data.row(i)[1]);
        out.label.push_back(data.labels[i]);
    }
    out.left_out = data.n_rows - n;
    return out;
}

namespace {

const char* const certainty_regions[] = {"certain by (i) and (ii)", "certain by (i) only", "certain by (ii) only",
                                         "uncertain"};

const char* const size_regions[] = {"no class", "one class", "two classes", "three classes", "four or more classes"};
constexpr int most_sizes         = static_cast<int>(std::size(size_regions));

void require_certainty(const DecisionMap& map)
{
    if (!map.certainty)
        throw Error("Decision map: this map was made without its certainty regions.");
}

std::string name_of_class(const DecisionMap& map, int k)
{
    return k >= 0 && k < static_cast<int>(map.class_names.size()) ? map.class_names[k] : "class " + std::to_string(k);
}

}   // namespace

std::vector<float> map_values(const DecisionMap& map, MapQuantity quantity, int map_class)
{
    const auto& p     = map.predictions;
    const auto floats = [](const std::vector<double>& values) {
        return std::vector<float>(values.begin(), values.end());
    };
    std::vector<float> z;
    switch (quantity) {
    case MapQuantity::class_probability:
        if (map_class < 0 || map_class >= p.n_classes)
            throw Error("Decision map: class " + std::to_string(map_class) + " was requested, expected 0 to "
                        + std::to_string(p.n_classes - 1) + ".");
        for (int i = 0; i < p.n_inputs; ++i)
            z.push_back(static_cast<float>(p.mean_of(i)[map_class]));
        return z;
    case MapQuantity::predictive_entropy: return floats(p.entropy);
    case MapQuantity::aleatoric: return floats(p.expected_entropy);
    case MapQuantity::epistemic: return floats(p.mutual_information);
    case MapQuantity::certainty:
        require_certainty(map);
        for (int i = 0; i < p.n_inputs; ++i)
            z.push_back(map.certainty->disjoint[i] ? (map.certainty->probable[i] ? 0.0f : 1.0f)
                                                   : (map.certainty->probable[i] ? 2.0f : 3.0f));
        return z;
    case MapQuantity::set_size:
        if (map.set_sizes.empty())
            throw Error("Decision map: this map was made without conformal sets.");
        for (const int size : map.set_sizes)
            z.push_back(static_cast<float>(std::min(size, most_sizes - 1)));
        return z;
    }
    return z;
}

Range map_scale(const DecisionMap& map, MapQuantity quantity)
{
    const auto& p = map.predictions;
    switch (quantity) {
    case MapQuantity::class_probability: return {0, 1};
    case MapQuantity::predictive_entropy:
    case MapQuantity::aleatoric: return {0, std::log(p.n_classes)};
    case MapQuantity::epistemic:   // at least a thousandth of a nat, so that rounding noise does
                                   // not fill the scale
        return {0,
                std::max(1e-3,
                         p.n_inputs ? *std::max_element(p.mutual_information.begin(), p.mutual_information.end()) : 0)};
    case MapQuantity::certainty: return {0, 3};
    case MapQuantity::set_size: return {0, std::min(p.n_classes, most_sizes - 1)};
    }
    return {0, 1};
}

std::string title_of(MapQuantity quantity)
{
    switch (quantity) {
    case MapQuantity::class_probability: return "Class probability";
    case MapQuantity::predictive_entropy: return "Predictive entropy";
    case MapQuantity::aleatoric: return "Aleatoric part (expected entropy)";
    case MapQuantity::epistemic: return "Epistemic part (mutual information)";
    case MapQuantity::certainty: return "Certain and uncertain regions";
    case MapQuantity::set_size: return "Size of the conformal set";
    }
    return {};
}

namespace {

constexpr EnumNames<MapQuantity, 6> map_quantities{{{MapQuantity::class_probability, "class_probability"},
                                                    {MapQuantity::predictive_entropy, "predictive_entropy"},
                                                    {MapQuantity::aleatoric, "aleatoric"},
                                                    {MapQuantity::epistemic, "epistemic"},
                                                    {MapQuantity::certainty, "certainty"},
                                                    {MapQuantity::set_size, "set_size"}}};

}   // namespace

std::string name_of(MapQuantity quantity) { return map_quantities.name_of(quantity); }

MapQuantity map_quantity_named(const std::string& wanted, const std::string& what)
{
    return map_quantities.value_of(wanted, what);
}

Panel decision_panel(const DecisionMap& map, MapQuantity quantity, int map_class, std::optional<Range> scale)
{
    HeatMap heat{.name    = title_of(quantity),
                 .nx      = map.grid.nx,
                 .ny      = map.grid.ny,
                 .x       = map.grid.x,
                 .y       = map.grid.y,
                 .z       = map_values(map, quantity, map_class),
                 .z_range = scale.value_or(map_scale(map, quantity))};
    if (quantity == MapQuantity::class_probability) {
        heat.name     = "Probability of " + name_of_class(map, map_class);
        heat.map      = ColourMap::diverging;
        heat.contours = {0.5};
    } else if (quantity == MapQuantity::certainty) {
        heat.name = "Certainty at " + percent_text(map.level);
        heat.categories.assign(std::begin(certainty_regions), std::end(certainty_regions));
    } else if (quantity == MapQuantity::set_size) {
        heat.name         = "Conformal set at " + percent_text(map.level);
        const int largest = std::min(map.predictions.n_classes, most_sizes - 1);
        heat.categories.assign(std::begin(size_regions), std::begin(size_regions) + largest + 1);
    } else
        heat.unit = "nats";

    Panel panel{.title        = heat.name,
                .x            = {.label = map.x_name},
                .y            = {.label = map.y_name},
                .series       = {},
                .legend       = true,
                .equal_aspect = false};
    panel.x.range = cell_edges(map.grid.x, map.grid.nx);
    panel.y.range = cell_edges(map.grid.y, map.grid.ny);
    panel.series.push_back(std::move(heat));
    for (int k = 0; k < map.predictions.n_classes; ++k) {
        Points points{.name = name_of_class(map, k), .tone = category(k), .size = 4};
        for (std::size_t i = 0; i < map.points.label.size(); ++i)
            if (map.points.label[i] == k) {
                points.x.push_back(map.points.x[i]);
                points.y.push_back(map.points.y[i]);
            }
        if (!points.x.empty())
            panel.series.push_back(std::move(points));
    }
    return panel;
}

Chart to_chart(const DecisionMap& map, MapQuantity quantity, int map_class)
{
    Chart chart{.id = "decision_map", .title = "Decision map"};
    chart.panels.push_back(decision_panel(map, quantity, map_class));
    chart.caption = title_of(quantity) + " over " + map.x_name + " and " + map.y_name + " with the training points.";
    if (map.points.left_out)
        chart.caption += " " + std::to_string(map.points.x.size()) + " of "
                         + std::to_string(map.points.x.size() + map.points.left_out) + " training points are drawn.";
    return chart;
}

}   // namespace credence
