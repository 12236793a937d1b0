// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/layer.h"
#include "layers/stage.h"
#include "unit/random_values.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace credence {

/// A single layer on some examples, in double: the contract of every kind of layer.
template <class Kind>
class LayerAlone {
public:
    static constexpr int n = 3;

    LayerAlone(const Kind& kind, ImageShape in) : LayerAlone(kind, in, shape_after(kind, in)) {}
    LayerAlone(const Kind& kind, ImageShape in, ImageShape out)
        : stage(kind.template stage<double>(place_of(kind, in, out))), x(normals(std::size_t{n} * in.size(), 2)),
          y(std::size_t{n} * out.size()), memory(stage->memory(n))
    {
        if constexpr (Kind::has_weights) {
            const LayerWeights of = kind.layer_weights(in, out);
            weights               = normals(static_cast<std::size_t>(of.per_unit + 1) * of.units, 1, 0.5);
        }
        scratch.columns.resize(stage->scratch(n).columns);
        scratch.column_gradient.resize(stage->scratch(n).columns);
        scratch.inner.resize(stage->scratch(n).inner);
    }

    static ImageShape shape_after(const Kind& kind, ImageShape in)
    {
        Flow flow{.shape = in, .is_image = true};
        kind.pass(flow);
        return flow.shape;
    }
    StagePass<double> pass()
    {
        return {.weights = weights.data(),
                .n       = n,
                .memory  = memory.get(),
                .scratch = &scratch,
                .dropout = dropout ? &*dropout : nullptr};
    }
    Planes<const double> inputs() const { return image_by_image(x.data(), stage->in()); }
    Planes<const double> outputs() const { return image_by_image(y.data(), stage->out()); }

    const std::vector<double>& forward()
    {
        stage->forward(pass(), inputs(), image_by_image(y.data(), stage->out()));
        return y;
    }

    /// Σ dy · J (dx, dw) by central differences along one direction of inputs and weights.
    double difference(const std::vector<double>& dx, const std::vector<double>& dw, const std::vector<double>& dy)
    {
        const double h  = 1e-6;
        double total    = 0;
        const auto x_at = x, w_at = weights;
        for (const double sign : {1.0, -1.0}) {
            for (std::size_t i = 0; i < x.size(); ++i)
                x[i] = x_at[i] + sign * h * dx[i];
            for (std::size_t i = 0; i < weights.size(); ++i)
                weights[i] = w_at[i] + sign * h * dw[i];
            forward();
            for (std::size_t i = 0; i < y.size(); ++i)
                total += sign * dy[i] * y[i] / (2 * h);
        }
        x       = x_at;
        weights = w_at;
        forward();
        return total;
    }

    std::unique_ptr<Stage<double>> stage;
    std::vector<double> x, y, weights;
    std::unique_ptr<StageMemory> memory;
    StageScratch<double> scratch;
    std::optional<DropoutNoise> dropout;

private:
    static StagePlace place_of(const Kind& kind, ImageShape in, ImageShape out)
    {
        if constexpr (Kind::has_weights) {
            const LayerWeights of = kind.layer_weights(in, out);
            return {in, out, 0, 0, static_cast<std::size_t>(of.per_unit) * of.units};
        } else {
            return {in, out};
        }
    }
};

/// Text and JSON reproduce the layer, and its notation identifies its kind.
inline void expect_notation_comes_back(const Layer& layer)
{
    const std::string text = text_of(layer);
    LayerWords words(text, 0);
    EXPECT_EQ(layer_from_text(words), layer) << text;
    EXPECT_FALSE(words.more()) << text;
    EXPECT_EQ(layer_from_json(json_of(layer), 0), layer) << json_of(layer);
}

/// The gradient with respect to every single input agrees with central differences, and is the same
/// with or without the gradient of the weights.
template <class Kind>
void expect_input_gradients_agree(LayerAlone<Kind>& alone)
{
    const ImageShape in = alone.stage->in(), out = alone.stage->out();
    const auto dy = normals(alone.y.size(), 8);
    alone.forward();
    aligned_vector<double> rows_y(
        static_cast<std::size_t>(out.channels * padded_row<double>(alone.n * out.height * out.width))),
        rows_x(rows_y.size() + in.size() * 64);
    const Planes<double> gradient = channels_as_rows(rows_y.data(), out, alone.n),
                         down     = alone.stage->pointwise() ? gradient : channels_as_rows(rows_x.data(), in, alone.n);
    copy_planes(image_by_image(dy.data(), out), out, alone.n, gradient);
    alone.stage->backward(alone.pass(), alone.inputs(), alone.outputs(), gradient, down, {});
    std::vector<double> found(alone.x.size());
    copy_planes<double>(down, in, alone.n, image_by_image(found.data(), in));
    const std::vector<double> still(alone.weights.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        std::vector<double> one(alone.x.size());
        one[i]                = 1;
        const double expected = alone.difference(one, still, dy);
        ASSERT_NEAR(found[i], expected, 1e-7 * std::max(1.0, std::abs(expected))) << "input " << i;
    }
}

/// Tangents agree with differences of outputs, gradients of inputs and weights with tangents: ⟨dy, J d⟩ = ⟨Jᵀ dy, d⟩.
template <class Kind>
void expect_derivatives_agree(LayerAlone<Kind>& alone)
{
    const ImageShape in = alone.stage->in(), out = alone.stage->out();
    const auto dx = normals(alone.x.size(), 5), dw = normals(alone.weights.size(), 6), dy = normals(alone.y.size(), 7);
    const double expected = alone.difference(dx, dw, dy);
    const bool in_place   = alone.stage->pointwise();

    std::vector<double> moved_x = dx, moved_y(alone.y.size());
    Planes<double> tangent      = image_by_image(moved_x.data(), in),
                   made         = in_place ? tangent : image_by_image(moved_y.data(), out);
    if (!alone.dropout && !alone.stage->reads_rows()) {   // products write whole rows: see EveryImageLayer
        const Direction<double> direction{dw.data(), tangent, made};
        alone.stage->tangents(alone.pass(), alone.inputs(), alone.outputs(), std::span(&direction, 1), true);
        const std::vector<double>& found = in_place ? moved_x : moved_y;
        double total                     = 0;
        for (std::size_t i = 0; i < dy.size(); ++i)
            total += dy[i] * found[i];
        EXPECT_NEAR(total, expected, 1e-7 * std::max(1.0, std::abs(expected))) << "tangents";
    }

    aligned_vector<double> rows_y(
        static_cast<std::size_t>(out.channels * padded_row<double>(alone.n * out.height * out.width))),
        rows_x(rows_y.size() + in.size() * 64);
    const Planes<double> gradient = channels_as_rows(rows_y.data(), out, alone.n),
                         down     = in_place ? gradient : channels_as_rows(rows_x.data(), in, alone.n);
    copy_planes(image_by_image(dy.data(), out), out, alone.n, gradient);
    std::vector<double> sums(alone.weights.size(), std::numeric_limits<double>::quiet_NaN());
    alone.stage->backward(alone.pass(), alone.inputs(), alone.outputs(), gradient, down, {sums.data(), false});
    double total = 0;
    for (int c = 0; c < in.channels; ++c)
        for (int b = 0; b < alone.n; ++b)
            for (int i = 0; i < in.height * in.width; ++i)
                total += down.plane(c, b)[i] * image_by_image(dx.data(), in).plane(c, b)[i];
    for (std::size_t i = 0; i < sums.size(); ++i)
        total += sums[i] * dw[i];
    EXPECT_NEAR(total, expected, 1e-7 * std::max(1.0, std::abs(expected))) << "gradients";
    expect_input_gradients_agree(alone);
}

/// The derivative of the gradients along a direction of inputs and weights, for a fixed dy, by
/// differences. Values of pieces that are linear do not move across a kink.
template <class Kind>
void expect_second_order_agrees(LayerAlone<Kind>& alone)
{
    const ImageShape in = alone.stage->in(), out = alone.stage->out();
    const auto u = normals(alone.x.size(), 5), v = normals(alone.weights.size(), 6), dy = normals(alone.y.size(), 7);
    const bool in_place = alone.stage->pointwise();
    const auto of_rows  = [](ImageShape shape) {
        return aligned_vector<double>(static_cast<std::size_t>(
            shape.channels * padded_row<double>(LayerAlone<Kind>::n * shape.height * shape.width)));
    };
    auto rows_y = of_rows(out), rows_x = of_rows(in), rows_u = of_rows(in);
    const Planes<double> gradient = channels_as_rows(rows_y.data(), out, alone.n),
                         down     = in_place ? gradient : channels_as_rows(rows_x.data(), in, alone.n),
                         moved    = channels_as_rows(rows_u.data(), in, alone.n);
    const auto numbers_of         = [&](Planes<double> dx, const std::vector<double>& dw) {
        std::vector<double> all(alone.x.size());
        copy_planes<double>(dx, in, alone.n, image_by_image(all.data(), in));
        all.insert(all.end(), dw.begin(), dw.end());
        return all;
    };
    const auto gradients = [&](double h) {
        const auto x = alone.x, w = alone.weights;
        for (std::size_t i = 0; i < x.size(); ++i)
            alone.x[i] += h * u[i];
        for (std::size_t i = 0; i < w.size(); ++i)
            alone.weights[i] += h * v[i];
        alone.forward();
        copy_planes(image_by_image(dy.data(), out), out, alone.n, gradient);
        std::vector<double> dw(w.size());
        alone.stage->backward(alone.pass(), alone.inputs(), alone.outputs(), gradient, down, {dw.data(), false});
        alone.x       = x;
        alone.weights = w;
        return numbers_of(down, dw);
    };
    const double h  = 1e-6;
    const auto high = gradients(h), low = gradients(-h);
    alone.forward();
    copy_planes(image_by_image(dy.data(), out), out, alone.n, gradient);
    copy_planes(image_by_image(u.data(), in), in, alone.n, moved);
    std::fill(rows_x.begin(), rows_x.end(), 0.0);
    const Planes<double> sum = channels_as_rows(rows_x.data(), in, alone.n);
    std::vector<double> dw(v.size());
    alone.stage->second_order(alone.pass(), alone.inputs(), alone.outputs(), gradient,
                              {v.data(), moved, sum, dw.data()});
    const auto found = numbers_of(sum, dw);
    for (std::size_t i = 0; i < found.size(); ++i) {
        const double expected = (high[i] - low[i]) / (2 * h);
        ASSERT_NEAR(found[i], expected, 1e-7 * std::max(1.0, std::abs(expected))) << "number " << i;
    }
}

/// NaN in one input reaches an output of that example, and no other example.
template <class Kind>
void expect_nan_stays(LayerAlone<Kind>& alone)
{
    const std::size_t size   = static_cast<std::size_t>(alone.stage->in().size()),
                      out    = static_cast<std::size_t>(alone.stage->out().size());
    alone.x[size + size / 2] = std::numeric_limits<double>::quiet_NaN();
    alone.forward();
    for (int b = 0; b < alone.n; ++b) {
        bool found = false;
        for (std::size_t i = 0; i < out; ++i)
            found = found || std::isnan(alone.y[b * out + i]);
        EXPECT_EQ(found, b == 1) << "example " << b;
    }
}

/// The error of a layer for an invalid input shape.
template <class Kind>
std::string refusal_of(const Kind& kind, ImageShape in, bool is_image = true)
{
    Flow flow{.layer = 1, .shape = in, .is_image = is_image};
    try {
        kind.pass(flow);
    } catch (const std::exception& error) {
        return error.what();
    }
    return "";
}

/// All of them, on images of this shape.
template <class Kind>
void expect_properties(const Kind& kind, ImageShape in)
{
    expect_notation_comes_back(kind);
    LayerAlone<Kind> alone(kind, in);
    expect_derivatives_agree(alone);
    if (kind.second_derivative() != SecondDerivative::unknown)
        expect_second_order_agrees(alone);
    expect_nan_stays(alone);
}

}   // namespace credence
