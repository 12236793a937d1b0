// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/weights.h"

#include "charts/chart.h"
#include "foundation/error.h"
#include "views/view_support.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace credence {

using namespace view_support;

namespace {

constexpr int most_kernels = 64, most_units = 16;

struct FirstWeights {
    const Layer* layer;
    int channels;   ///< number of channels that the layer receives; a grey layer reduces that of the data
};

/// The first layer with weights, if it can be shown and sees the pixels of the image.
std::optional<FirstWeights> first_weights(const Architecture& architecture)
{
    const std::vector<ImageShape> shapes = shapes_of(architecture);
    ImageShape seen                      = *architecture.image;
    for (std::size_t l = 0; l < shapes.size(); ++l) {
        const Layer& layer = architecture.layers[l];
        if (has_weights(layer)) {
            if (!std::holds_alternative<Conv2d>(layer) && !std::holds_alternative<Dense>(layer))
                return {};
            return FirstWeights{&layer, seen.channels};
        }
        if (std::holds_alternative<Grey>(layer))
            seen.channels = 1;
        if (shapes[l].size() != seen.size())
            return {};   // the values are no longer pixels of the image
    }
    return {};
}

Panel montage(const Kernels& value, const std::vector<float>& weights, std::string title, double largest)
{
    const int n      = static_cast<int>(value.index.size());
    const int width  = value.channels * (value.columns + 1) - 1,
              height = value.rows;   // one cell between channels, two between kernels
    int across       = 1;
    while (across < n && across * (width + 2.0) < 1.15 * ((n + across - 1) / across) * (height + 2.0))
        ++across;
    Panel panel{.title        = std::move(title),
                .x            = {.hidden = true},
                .y            = {.hidden = true},
                .series       = {},
                .legend       = false,
                .equal_aspect = true};
    Line edges{.tone = {Tone::Kind::muted}, .width = 0.5};
    const std::size_t plane = static_cast<std::size_t>(value.rows) * value.columns;
    for (int i = 0; i < n; ++i)
        for (int c = 0; c < value.channels; ++c) {
            const double x = (i % across) * (width + 2.0) + c * (value.columns + 1.0),
                         y = -(i / across) * (height + 2.0);   // centre of the upper left cell
            HeatMap map{.name    = "Weight",
                        .nx      = value.columns,
                        .ny      = value.rows,
                        .x       = {x, x + value.columns - 1},
                        .y       = {y - value.rows + 1, y},
                        .z_range = {-largest, largest},
                        .map     = ColourMap::diverging};
            map.discrete = true;
            map.part     = (value.convolution ? "kernel " : "unit ")
                       + std::to_string(value.index[static_cast<std::size_t>(i)])
                       + (value.channels == 3  ? std::string(c == 0   ? ", red"
                                                             : c == 1 ? ", green"
                                                                      : ", blue")
                          : value.channels > 1 ? ", channel " + std::to_string(c)
                                               : "");
            const float* const from = weights.data() + (static_cast<std::size_t>(i) * value.channels + c) * plane;
            for (int row = value.rows - 1; row >= 0; --row)   // row 0 of a map is the lowest
                map.z.insert(map.z.end(), from + row * value.columns, from + (row + 1) * value.columns);
            panel.series.push_back(std::move(map));
            const double left = x - 0.5, right = x + value.columns - 0.5, top = y + 0.5, bottom = y - value.rows + 0.5;
            edges.x.insert(edges.x.end(), {left, right, right, left, left, std::nan("")});
            edges.y.insert(edges.y.end(), {top, top, bottom, bottom, top, std::nan("")});
        }
    const int down = (n + across - 1) / across;
    panel.x.range  = Range{-1.0, across * (width + 2.0) - 2.0};
    panel.y.range  = Range{-(down * (height + 2.0) - 2.0), 1.0};
    panel.series.push_back(std::move(edges));
    return panel;
}

std::optional<std::string> why_not_kernels(const Experiment& experiment)
{
    if (has_kernels(experiment.model.architecture))
        return {};
    return "Kernels need a network whose first layer sees images.";
}

std::optional<Chart> make_kernels(const RunSnapshot& run, const ViewOptions&, const std::stop_token&)
{
    const auto& experiment = *run.experiment;
    const auto& posterior  = *run.snapshot->posterior;
    const auto moments     = moments_of(posterior);
    return with_setting(to_chart(kernels(experiment.model.architecture, moments.mean,
                                         one_draw(posterior, experiment.study.seed), posterior.describe().front())),
                        run);
}

}   // namespace

bool has_kernels(const Architecture& architecture)
{
    if (!architecture.image)
        return false;
    return first_weights(architecture).has_value();
}

Kernels kernels(const Architecture& architecture, std::span<const float> mean, std::span<const float> draw,
                const BlockUncertainty& block)
{
    if (!has_kernels(architecture))
        throw Error("Kernels: the first layer of this network does not see an image.");
    const FirstWeights first = *first_weights(architecture);
    const Layer& layer       = *first.layer;
    Kernels out{.block       = block.block,
                .convolution = std::holds_alternative<Conv2d>(layer),
                .total       = 0,
                .index       = {},
                .channels    = first.channels,
                .rows        = architecture.image->height,
                .columns     = architecture.image->width,
                .mean        = {},
                .draw        = {},
                .tau         = block.tau,
                .rho         = block.rho};
    if (const auto* convolution = std::get_if<Conv2d>(&layer)) {
        out.total = convolution->filters;
        out.rows = out.columns = convolution->kernel;
    } else {
        out.total = std::get<Dense>(layer).units;
    }
    const auto size = static_cast<std::size_t>(out.channels) * out.rows * out.columns;
    out.index.resize(static_cast<std::size_t>(out.total));
    std::iota(out.index.begin(), out.index.end(), 0);
    if (!out.convolution) {
        std::vector<double> norm(out.index.size());
        for (std::size_t i = 0; i < norm.size(); ++i)
            for (std::size_t j = 0; j < size; ++j)
                norm[i] += static_cast<double>(mean[i * size + j]) * mean[i * size + j];
        std::stable_sort(out.index.begin(), out.index.end(), [&](int a, int b) {
            return norm[static_cast<std::size_t>(a)] > norm[static_cast<std::size_t>(b)];
        });
    }
    out.index.resize(std::min<std::size_t>(out.index.size(), out.convolution ? most_kernels : most_units));
    for (const int i : out.index) {
        const auto begin = static_cast<std::size_t>(i) * size;
        out.mean.insert(out.mean.end(), mean.begin() + static_cast<std::ptrdiff_t>(begin),
                        mean.begin() + static_cast<std::ptrdiff_t>(begin + size));
        if (!draw.empty())
            out.draw.insert(out.draw.end(), draw.begin() + static_cast<std::ptrdiff_t>(begin),
                            draw.begin() + static_cast<std::ptrdiff_t>(begin + size));
    }
    return out;
}

Chart to_chart(const Kernels& value)
{
    Chart chart{.id = "kernels", .title = "Kernels"};
    double largest = 0;
    for (const auto* weights : {&value.mean, &value.draw})
        for (const float w : *weights)
            largest = std::max(largest, std::isfinite(w) ? std::fabs(static_cast<double>(w)) : 0);
    if (largest == 0)
        largest = 1;
    std::string noise;
    if (value.tau)
        noise += "τ " + number_text(*value.tau, 3);
    if (value.rho)
        noise += std::string(", ρ ") + (*value.rho < 0 ? "−" : "") + fixed_text(std::fabs(*value.rho), 3);
    chart.panels.push_back(montage(value, value.mean, value.block + (value.draw.empty() ? "" : ", mean"), largest));
    if (!value.draw.empty())
        chart.panels.push_back(montage(value, value.draw, noise.empty() ? "One sample" : "Sample: " + noise, largest));
    else if (!noise.empty())
        chart.panels.front().title += ", " + noise;
    chart.columns           = static_cast<int>(chart.panels.size());
    const std::string shown = std::to_string(value.index.size()), all = std::to_string(value.total);
    chart.caption = value.convolution
                        ? "The "
                              + (value.index.size() < static_cast<std::size_t>(value.total) ? "first " + shown + " of "
                                                                                            : "")
                              + all + " kernels of the first layer (" + value.block + ")"
                        : "Weights of the " + shown + " of " + all + " units of the first layer with the largest norm ("
                              + value.block + "), each arranged like the image it multiplies";
    chart.caption += value.draw.empty() ? "." : ": posterior mean and one sample on the same scale.";
    if (!noise.empty())
        chart.caption += " " + noise + ".";
    if (value.channels > 1)
        chart.caption += " The " + std::to_string(value.channels) + " channels of each are side by side.";
    if (!value.convolution) {
        chart.caption += " Units, row by row:";
        for (std::size_t i = 0; i < value.index.size(); ++i)
            chart.caption += (i ? ", " : " ") + std::to_string(value.index[i]);
        chart.caption += ".";
    }
    return chart;
}

View kernels_view()
{
    return {
        .id    = "kernels",
        .title = "Kernels",
        .group = ViewGroup::weights,
        .help =
            "What the first layer detects, as small pictures: the kernels of a convolution, or the weights of a dense "
            "layer's units arranged like the image they multiply (those of largest norm). Blue is negative, red "
            "positive, white zero. The posterior mean and one weight sample share a scale, so their difference shows "
            "the uncertainty. With one τ per block a sample is w = m(1 + τε), where ε has variance 1 and ρ is the "
            "correlation of neighbouring weights, kernel by kernel, row by row. Kernels that look alike in both "
            "columns are well determined. Source: Posch and Pilz 2021, Table II; Steinbrener et al. 2020, Table 3.",
        .cost         = Cost::quick,
        .many_targets = ManyTargets::all,
        .why_not      = why_not_kernels,
        .make         = make_kernels};
}

}   // namespace credence
