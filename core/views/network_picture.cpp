// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/network_picture.h"

#include "foundation/number_text.h"
#include "views/layers.h"
#include "views/weights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

namespace credence {

namespace {

/// One line width for all edges whose |μ|/σ is between one limit and the next.
struct EdgeWidth {
    double from, width, opacity;
};
constexpr std::array edge_widths{EdgeWidth{0, 0.4, 0.35}, EdgeWidth{0.5, 0.8, 0.5}, EdgeWidth{1, 1.4, 0.65},
                                 EdgeWidth{2, 2.2, 0.8}, EdgeWidth{4, 3.4, 0.95}};
constexpr std::array unit_sizes{5.0, 7.0, 9.0, 11.0};   ///< points, by rising spread
constexpr double block_half_width = 0.12, block_half_height = 0.95, height_of_skips = 1.06;

/// Skip connections around at least one layer with weights.
std::vector<NetworkPicture::Skip> skips_of(const Architecture& architecture)
{
    std::vector<NetworkPicture::Skip> skips;
    NetworkPicture::Skip skip;
    int column = 0;
    for (const Layer& layer : architecture.layers) {
        column += has_weights(layer) ? 1 : 0;
        if (std::holds_alternative<Save>(layer))
            skip = {.from = column};
        else if (std::holds_alternative<Swap>(layer))
            skip.swapped = true;
        else if (std::holds_alternative<Add>(layer) && column > skip.from) {
            skip.to = column;
            skips.push_back(skip);
        }
    }
    return skips;
}

double height_of(const NetworkPicture& picture, int column, int unit)
{
    int most = 2;
    for (const auto& each : picture.columns)
        most = std::max(most, each.drawn());
    const double n = picture.columns[static_cast<std::size_t>(column)].drawn();
    return ((n - 1) / 2 - unit) * 1.8 / (most - 1);
}

/// The ends of an edge, which touch the sides of blocks.
std::array<double, 2> ends_of(const NetworkPicture& picture, const NetworkPicture::Edge& edge)
{
    const auto l = static_cast<std::size_t>(edge.layer);
    return {edge.layer + (picture.columns[l].block ? block_half_width : 0),
            edge.layer + 1 - (picture.columns[l + 1].block ? block_half_width : 0)};
}

std::string shape_text(const ImageShape& shape)
{
    return std::to_string(shape.channels) + " × " + std::to_string(shape.height) + " × " + std::to_string(shape.width);
}

/// The edge of all weights from index `first` on.
NetworkPicture::Edge edge_of(int layer, int from, int to, std::size_t first)
{
    return {.layer = layer, .from = from, .to = to, .weight = first};
}

void add_weight(NetworkPicture::Edge& edge, std::size_t weight, std::span<const float> mean, std::span<const float> sd)
{
    ++edge.n;
    if (mean.empty())
        return;
    edge.mean += mean[weight];
    edge.magnitude += std::fabs(mean[weight]);
    edge.sd += sd[weight];
}

/// The edges of a dense layer: one for each pair of drawn units.
void add_dense(NetworkPicture& picture, int layer, const Block& weights, std::span<const float> mean,
               std::span<const float> sd)
{
    const auto& before = picture.columns[static_cast<std::size_t>(layer)];
    const auto& after  = picture.columns[static_cast<std::size_t>(layer) + 1];
    const int sources  = before.drawn();
    const auto inputs  = static_cast<std::size_t>(weights.fan_in);
    const auto first   = picture.edges.size();
    for (int to = 0; to < after.drawn(); ++to)
        for (int from = 0; from < sources; ++from)
            picture.edges.push_back(
                edge_of(layer, from, to,
                        weights.begin + static_cast<std::size_t>(to) * inputs + static_cast<std::size_t>(from)));
    for (std::size_t w = 0; w < weights.size; ++w) {
        const auto to   = after.block ? 0 : w / inputs;
        const auto from = before.block ? 0 : w % inputs;
        add_weight(picture.edges[first + to * static_cast<std::size_t>(sources) + from], weights.begin + w, mean, sd);
    }
}

Table table_of(const NetworkPicture& picture)
{
    Table table{.columns = {{"Weights"}, {"From"}, {"To"}, {"Number"}, {"Mean |μ|", "", 4}}, .rows = {}};
    if (picture.has_spread)
        table.columns.insert(table.columns.end(), {{"Mean σ", "", 4}, {"Mean |μ| / mean σ", "", 3}});
    for (std::size_t l = 0; l + 1 < picture.columns.size(); ++l) {
        double magnitude = 0, sd = 0;
        std::size_t n = 0;
        for (const auto& edge : picture.edges)
            if (edge.layer == static_cast<int>(l)) {
                const auto count = static_cast<double>(edge.n);
                magnitude += edge.magnitude * count;
                sd += edge.sd * count;
                n += edge.n;
            }
        const auto count = static_cast<double>(std::max<std::size_t>(1, n));
        std::vector<Cell> row{"layer " + std::to_string(l + 1), picture.columns[l].name, picture.columns[l + 1].name,
                              static_cast<long>(n), magnitude / count};
        if (picture.has_spread) {
            row.emplace_back(sd / count);
            row.push_back(sd > 0 ? Cell(magnitude / sd) : Cell(std::string()));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

/// Returns what the width of an edge shows: |μ|/σ. Without any spread, |μ| as a share of the
/// largest, so that the largest edges are the widest.
double strength_of(const NetworkPicture& picture, const NetworkPicture::Edge& edge, double largest)
{
    if (picture.has_spread)
        return edge.signal_to_noise();
    return largest > 0 ? edge_widths.back().from * edge.magnitude / largest : 0;
}

void add_edges(const NetworkPicture& picture, Panel& panel)
{
    double largest = 0;
    for (const auto& edge : picture.edges)
        largest = std::max(largest, edge.magnitude);
    std::array<bool, 2> named{};
    for (std::size_t w = 0; w < edge_widths.size(); ++w)
        for (const bool negative : {false, true}) {
            Line line{
                .tone = category(negative ? 1 : 0), .width = edge_widths[w].width, .opacity = edge_widths[w].opacity};
            for (const auto& edge : picture.edges) {
                const double strength = strength_of(picture, edge, largest);
                const bool here       = strength >= edge_widths[w].from
                                  && (w + 1 == edge_widths.size() || strength < edge_widths[w + 1].from);
                if (!here || (edge.mean < 0) != negative)
                    continue;
                const auto [left, right] = ends_of(picture, edge);
                line.x.insert(line.x.end(), {left, right, right});
                line.y.insert(line.y.end(), {height_of(picture, edge.layer, edge.from),
                                             height_of(picture, edge.layer + 1, edge.to), std::nan("")});
            }
            if (line.x.empty())
                continue;
            if (!std::exchange(named[negative ? 1 : 0], true))
                line.name = negative ? "negative mean" : "positive mean";
            panel.series.push_back(std::move(line));
        }
}

/// A bracket above the blocks that each skip connection passes by.
void add_skips(const NetworkPicture& picture, Panel& panel)
{
    Line line{.name = "skip connection", .tone = {Tone::Kind::neutral}};
    for (const auto& skip : picture.skips) {
        const double left = skip.from + block_half_width / 2, right = skip.to - block_half_width / 2;
        line.x.insert(line.x.end(), {left, left, right, right, right});
        line.y.insert(line.y.end(),
                      {block_half_height, height_of_skips, height_of_skips, block_half_height, std::nan("")});
    }
    if (!line.x.empty())
        panel.series.push_back(std::move(line));
}

std::string words_on_skips(const NetworkPicture& picture)
{
    if (picture.skips.empty())
        return "";
    std::string words = " Brackets are skip connections: the saved image is added after the layers under them.";
    if (std::ranges::any_of(picture.skips, &NetworkPicture::Skip::swapped))
        words += " Layers after “swap” act on the saved image, not on the block to their left.";
    return words;
}

void add_units(const NetworkPicture& picture, Panel& panel)
{
    double widest = 0;
    for (const auto& column : picture.columns)
        for (const double spread : column.spread)
            widest = std::max(widest, spread);
    std::array<Points, unit_sizes.size()> units;
    for (std::size_t c = 0; c < picture.columns.size(); ++c) {
        const auto& column = picture.columns[c];
        const auto x       = static_cast<double>(c);
        if (column.block) {
            panel.series.push_back(Band{.x       = {x - block_half_width, x + block_half_width},
                                        .lower   = {-block_half_height, -block_half_height},
                                        .upper   = {block_half_height, block_half_height},
                                        .tone    = {Tone::Kind::posterior},
                                        .opacity = 0.35});
            continue;
        }
        for (int k = 0; k < column.units; ++k) {
            const double share = column.spread.empty() || widest == 0
                                     ? 0
                                     : column.spread[static_cast<std::size_t>(k)] / widest;
            const auto size    = static_cast<std::size_t>(share * static_cast<double>(unit_sizes.size()));
            auto& points       = units[std::min(unit_sizes.size() - 1, size)];
            points.x.push_back(x);
            points.y.push_back(height_of(picture, static_cast<int>(c), k));
        }
    }
    for (std::size_t s = 0; s < units.size(); ++s)
        if (!units[s].x.empty()) {
            units[s].tone   = {Tone::Kind::neutral};
            units[s].marker = Marker::circle;
            units[s].size   = unit_sizes[s];
            panel.series.push_back(std::move(units[s]));
        }
}

}   // namespace

double NetworkPicture::Edge::signal_to_noise() const { return credence::signal_to_noise(magnitude, sd); }

std::vector<NetworkPicture::Column> network_columns(const Architecture& architecture)
{
    const auto layout = layout_of(architecture);
    const auto shapes = shapes_of(architecture);
    std::vector<NetworkPicture::Column> columns;
    const auto add = [&](const std::string& name, const ImageShape& shape, bool maps) {
        const int units = static_cast<int>(shape.size());
        columns.push_back({.name  = name + (maps ? shape_text(shape) : std::to_string(units)),
                           .units = units,
                           .block = maps || units > NetworkPicture::most_units});
    };
    add("", architecture.image.value_or(ImageShape{architecture.inputs, 1, 1}), architecture.image.has_value());
    columns.back().name += " inputs";
    int layer = 0;
    for (std::size_t l = 0; l < shapes.size(); ++l) {
        if (!has_weights(architecture.layers[l]))
            continue;
        std::size_t last = l;   // includes the following layers without weights: activation, pooling
        while (last + 1 < shapes.size() && !has_weights(architecture.layers[last + 1])
               && !std::holds_alternative<Flatten>(architecture.layers[last + 1])
               && !std::holds_alternative<Swap>(architecture.layers[last + 1]))   // a swap replaces the image
            ++last;
        const bool maps   = std::holds_alternative<Conv2d>(architecture.layers[l]);
        std::string name  = layout.layer(layer).weights.name;
        name              = name.substr(0, name.rfind(' '));
        const bool output = ++layer == layout.n_layers();
        add(output ? "" : name + ": ", maps ? shapes[last] : shapes[l], maps);
        if (!maps)
            columns.back().name += output ? " outputs" : " units";
    }
    return columns;
}

NetworkPicture network_picture(const Architecture& architecture, std::span<const float> mean, std::span<const float> sd)
{
    const auto layout = layout_of(architecture);
    NetworkPicture picture{.columns    = network_columns(architecture),
                           .skips      = skips_of(architecture),
                           .has_spread = std::any_of(sd.begin(), sd.end(), [](float s) { return s > 0; })};
    for (int l = 0; l < layout.n_layers(); ++l) {
        const auto& weights = layout.layer(l).weights;
        const auto& column  = picture.columns[static_cast<std::size_t>(l) + 1];
        if (column.block && picture.columns[static_cast<std::size_t>(l)].block) {
            picture.edges.push_back(edge_of(l, 0, 0, weights.begin));
            for (std::size_t w = weights.begin; w < weights.end(); ++w)
                add_weight(picture.edges.back(), w, mean, sd);
        } else
            add_dense(picture, l, weights, mean, sd);
    }
    for (auto& edge : picture.edges) {
        const auto n = static_cast<double>(std::max<std::size_t>(1, edge.n));
        edge.mean /= n;
        edge.magnitude /= n;
        edge.sd /= n;
    }
    for (std::size_t c = 1; c < picture.columns.size(); ++c) {
        auto& column = picture.columns[c];
        column.spread.assign(static_cast<std::size_t>(column.drawn()), 0);
        const double sources = picture.columns[c - 1].drawn();
        for (const auto& edge : picture.edges)
            if (edge.layer + 1 == static_cast<int>(c))
                column.spread[static_cast<std::size_t>(edge.to)] += edge.sd / sources;
    }
    return picture;
}

Chart to_chart(const NetworkPicture& picture, const NetworkPicture::Edge* selected)
{
    Chart chart{.id = "network", .title = "Network"};
    std::vector<std::string> names;
    for (const auto& column : picture.columns)
        names.push_back(column.name);
    Panel panel{.x = {.range = Range{-0.4, static_cast<double>(names.size()) - 0.6}, .categories = names},
                .y = {.range = Range{-1.15, 1.15}, .hidden = true}};
    add_skips(picture, panel);
    add_edges(picture, panel);
    if (selected) {
        const auto [left, right] = ends_of(picture, *selected);
        panel.series.push_back(Line{
            .name = "selected: weight " + std::to_string(selected->weight)
                    + (selected->n > 1 ? " and " + grouped_text(static_cast<long>(selected->n) - 1) + " others" : ""),
            .x     = {left, right},
            .y     = {height_of(picture, selected->layer, selected->from),
                      height_of(picture, selected->layer + 1, selected->to)},
            .tone  = {Tone::Kind::accent},
            .width = 2,
            .halo  = true});
    }
    add_units(picture, panel);
    panel.words_at = [shared = std::make_shared<const NetworkPicture>(picture)](double x, double y) {
        return words_at(*shared, x, y);
    };
    chart.panels.push_back(std::move(panel));
    chart.table   = table_of(picture);
    chart.caption = std::string("Weights between the units of ") + std::to_string(picture.columns.size() - 1)
                    + " layers. Colour: sign of the mean; width: "
                    + (picture.has_spread ? "|μ|/σ, thin below 0.5 and widest from 4" : "|μ|, widest for the largest")
                    + (picture.has_spread ? "; size of a unit: mean σ of the weights into it" : "") + ".";
    if (std::ranges::any_of(picture.columns, &NetworkPicture::Column::block))
        chart.caption += " Blocks are layers of more than " + std::to_string(NetworkPicture::most_units)
                         + " units or of feature maps; lines to them are means over their weights.";
    chart.caption += words_on_skips(picture);
    return chart;
}

const NetworkPicture::Edge* edge_with(const NetworkPicture& picture, const ParameterLayout& layout, std::size_t weight)
{
    for (int l = 0; l < layout.n_layers(); ++l) {
        const auto& block = layout.layer(l).weights;
        if (weight < block.begin || weight >= block.end())
            continue;
        const auto& before = picture.columns[static_cast<std::size_t>(l)];
        const auto& after  = picture.columns[static_cast<std::size_t>(l) + 1];
        const auto inputs  = static_cast<std::size_t>(block.fan_in);
        const int to       = after.block ? 0 : static_cast<int>((weight - block.begin) / inputs);
        const int from     = before.block ? 0 : static_cast<int>((weight - block.begin) % inputs);
        const auto found   = std::ranges::find_if(picture.edges, [&](const NetworkPicture::Edge& edge) {
            return edge.layer == l && edge.from == from && edge.to == to;
        });
        return found == picture.edges.end() ? nullptr : &*found;
    }
    return nullptr;
}

const NetworkPicture::Edge* edge_at(const NetworkPicture& picture, double x, double y)
{
    const NetworkPicture::Edge* nearest = nullptr;
    double least                        = 0.1;   // more distant marks were not meant
    for (const auto& edge : picture.edges) {
        const auto [left, right] = ends_of(picture, edge);
        if (x < edge.layer || x > edge.layer + 1)
            continue;
        const double share = std::clamp((x - left) / (right - left), 0.0, 1.0);
        const double here  = std::lerp(height_of(picture, edge.layer, edge.from),
                                       height_of(picture, edge.layer + 1, edge.to), share);
        const bool block   = x < left || x > right;   // anywhere on it
        if (const double far = block ? 0 : std::fabs(here - y); far < least) {
            least   = far;
            nearest = &edge;
        }
    }
    return nearest;
}

namespace {

std::string words_of(const NetworkPicture& picture, const NetworkPicture::Edge& edge)
{
    const auto number = [](double value) { return number_text(value, 3); };
    const bool one    = edge.n == 1;
    std::string words = one ? "Weight " + std::to_string(edge.weight) + ", from unit " + std::to_string(edge.from + 1)
                                  + " to unit " + std::to_string(edge.to + 1)
                            : grouped_text(static_cast<long>(edge.n)) + " weights, the first is "
                                  + std::to_string(edge.weight);
    words += (one ? "\nμ " + number(edge.mean) : "\nmean |μ| " + number(edge.magnitude));
    if (picture.has_spread)
        words += (one ? ", σ " : ", mean σ ") + number(edge.sd);
    if (!picture.priors.empty()) {
        const auto& prior = picture.priors[static_cast<std::size_t>(edge.layer)];
        words += "\nprior: μ " + number(prior_mean(prior)) + ", σ " + number(prior_sd(prior));
    }
    if (picture.has_spread && edge.sd > 0)
        words += (one ? "\n|μ|/σ " : "\nmean |μ| / mean σ ") + number(edge.signal_to_noise());
    return words;
}

/// Empty: no unit is near.
std::string words_of_unit(const NetworkPicture& picture, double x, double y)
{
    constexpr double near = 0.06;
    const auto c          = static_cast<long>(std::lround(x));
    if (c < 0 || c >= static_cast<long>(picture.columns.size()))
        return {};
    const auto& column = picture.columns[static_cast<std::size_t>(c)];
    for (int k = 0; k < column.drawn(); ++k) {
        const bool here = column.block ? std::fabs(x - static_cast<double>(c)) <= block_half_width
                                             && std::fabs(y) <= block_half_height
                                       : std::fabs(x - static_cast<double>(c)) <= near
                                             && std::fabs(y - height_of(picture, static_cast<int>(c), k)) <= near;
        if (!here)
            continue;
        std::string words = column.name + (column.block ? "" : ", unit " + std::to_string(k + 1));
        if (picture.has_spread && !column.spread.empty())
            words += "\nmean σ of the weights into it: " + number_text(column.spread[static_cast<std::size_t>(k)], 3);
        return words;
    }
    return {};
}

}   // namespace

std::string words_at(const NetworkPicture& picture, double x, double y)
{
    if (auto words = words_of_unit(picture, x, y); !words.empty())
        return words;
    const auto* edge = edge_at(picture, x, y);
    return edge ? words_of(picture, *edge) : std::string();
}

}   // namespace credence
