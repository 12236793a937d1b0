// SPDX-License-Identifier: GPL-3.0-or-later
#include "checks.h"
#include "one_block.h"
#include "one_pass.h"

#include "layers/pool.h"
#include "network/likelihood.h"

namespace credence::reference {
namespace {

template <class T>
constexpr Tolerance tolerance = sizeof(T) == sizeof(double) ? Tolerance{1e-12, 1e-12} : in_float;

/// Sizes of an array given as nested lists.
std::vector<int> shape_of(const Json& array)
{
    std::vector<int> shape;
    for (const Json* part = &array; part->is_array(); part = &part->front()) {
        shape.push_back(static_cast<int>(part->size()));
        if (part->empty())
            break;
    }
    return shape;
}

/// x [N][C][H][W], an image [C][H][W], or a plane [H][W].
ImageShape image_of(const Json& x)
{
    std::vector<int> shape = shape_of(x);
    while (shape.size() < 3)
        shape.insert(shape.begin(), 1);
    const std::size_t k = shape.size();
    return {shape[k - 3], shape[k - 2], shape[k - 1]};
}

Architecture images_through(const Json& x, std::vector<Layer> layers)
{
    const ImageShape image = image_of(x);
    return {image.size(), std::move(layers), image};
}

/// Both precisions of a case.
template <class Body>
void both(Body body)
{
    body(double{});
    body(float{});
}

/// y, dx and, for a layer with weights, dw and db. Files without dy want y alone.
template <class T>
void check_layer(const Architecture& layers, const Json& values, const std::string& name, Report& report)
{
    const Json& expected  = values.at("expected");
    const auto x          = numbers(values.at("x"));
    const bool weighted   = values.contains("w");
    const std::size_t n_w = weighted ? numbers(values.at("w")).size() : 0;
    std::vector<double> weights;
    if (weighted) {
        const std::size_t units = values.at("w").size();
        weights                 = joined(numbers(values.at("w")),
                         values.contains("b") ? numbers(values.at("b")) : std::vector<double>(units));
    }
    std::vector<double> dy(x.size() / static_cast<std::size_t>(layers.inputs)
                           * static_cast<std::size_t>(shapes_of(layers).back().size()));
    if (values.contains("dy"))
        dy = numbers(values.at("dy"));
    const auto pass = pass_through_layers<T>(layers, weights, x, dy);
    Case check(report, name + precision_name<T>(), expected, tolerance<T>);
    check.near("y", pass.features);
    check.near("dx", pass.input_gradient);
    if (weighted) {
        check.near("dw", part(pass.weight_gradient, 0, n_w));
        check.near("db", part(pass.weight_gradient, n_w, weights.size() - n_w));
    }
}

void check_pool(Pool::Kind kind, const Json& values, const std::string& name, Report& report)
{
    const int kernel = values.at("kernel");
    const Pool pool{kind, kernel, values.value("stride", kernel)};
    const Architecture layers = images_through(values.at("x"), {pool});
    both([&](auto t) { check_layer<decltype(t)>(layers, values, name, report); });
    if (kind != Pool::Kind::maximum || !values.at("expected").contains("argmax"))
        return;
    const PoolingShape shape{*layers.image, shapes_of(layers).back(), pool};
    const auto x = numbers(values.at("x"));
    const int n = static_cast<int>(x.size()) / layers.inputs, size = shape.out.size();
    std::vector<double> y(static_cast<std::size_t>(n) * size), argmax;
    std::vector<PlaceInWindow> place(static_cast<std::size_t>(size));
    for (int i = 0; i < n; ++i) {
        pool_forward<double>(shape, image_by_image(x.data() + std::ptrdiff_t{i} * layers.inputs, shape.in), 1,
                             image_by_image(y.data(), shape.out), place.data());
        for (int o = 0; o < size; ++o) {
            const int row    = o / shape.out.width % shape.out.height * pool.stride + place[o] / kernel,
                      column = o % shape.out.width * pool.stride + place[o] % kernel;
            argmax.push_back(row * shape.in.width + column);
        }
    }
    Case check(report, name + " (argmax)", values.at("expected"), {0, 0});
    check.exact("argmax", argmax);
}

}   // namespace

void check_conv(const Json& values, const std::string& name, Report& report)
{
    const auto shape          = shape_of(values.at("w"));
    const Architecture layers = images_through(
        values.at("x"), {Conv2d{shape.at(0), shape.at(3), values.value("stride", 1), values.value("pad", 0)}});
    both([&](auto t) { check_layer<decltype(t)>(layers, values, name, report); });
}

void check_maxpool(const Json& values, const std::string& name, Report& report)
{
    check_pool(Pool::Kind::maximum, values, name, report);
}
void check_avepool(const Json& values, const std::string& name, Report& report)
{
    check_pool(Pool::Kind::average, values, name, report);
}

void check_lrn(const Json& values, const std::string& name, Report& report)
{
    const Architecture layers = images_through(
        values.at("x"), {ResponseNorm{values.value("size", 3), values.at("alpha"), values.at("beta")}});
    both([&](auto t) { check_layer<decltype(t)>(layers, values, name, report); });
}

void check_fully_connected(const Json& values, const std::string& name, Report& report)
{
    const auto shape = shape_of(values.at("w"));
    const Architecture dense{shape.at(1), {Dense{shape.at(0)}}};
    both([&](auto t) {
        using T = decltype(t);
        check_layer<T>(dense, values, name, report);
        if (!values.at("expected").contains("relu_y"))
            return;
        Architecture rectified = dense;
        rectified.layers.push_back(Activation{ActivationKind::relu});
        const auto pass = pass_through_layers<T>(rectified, joined(numbers(values.at("w")), numbers(values.at("b"))),
                                                 numbers(values.at("x")), numbers(values.at("dy")));
        Case check(report, name + " with ReLU" + precision_name<T>(), values.at("expected"), tolerance<T>);
        check.near("relu_y", pass.features);
        check.near("relu_dx", pass.input_gradient);
    });
}

void check_softmax_cross_entropy(const Json& values, const std::string& name, Report& report)
{
    const auto shape = shape_of(values.at("logits"));
    const int n = shape.at(0), k = shape.at(1);
    const auto labels = values.at("labels").get<std::vector<int>>();
    both([&](auto t) {
        using T           = decltype(t);
        const auto logits = as<T>(numbers(values.at("logits")));
        std::vector<T> dz(logits.size());
        const double total = negative_log_likelihood<T>({}, logits, n, k, {labels, {}}, dz, T(1) / static_cast<T>(n));
        std::vector<double> probabilities, log_probabilities;
        for (int i = 0; i < n; ++i)
            for (int c = 0; c < k; ++c) {
                const double log_p = -negative_log_likelihood<T>(
                    {}, std::span(logits).subspan(static_cast<std::size_t>(i) * k, k), 1, k, {std::span(&c, 1), {}}, {},
                    1);
                log_probabilities.push_back(log_p);
                probabilities.push_back(std::exp(log_p));
            }
        Case check(report, name + precision_name<T>(), values.at("expected"), tolerance<T>);
        check.near("probabilities", probabilities);
        check.near("log_probabilities", log_probabilities);
        check.near("loss_mean", total / n);
        check.near("dlogits", {dz.begin(), dz.end()});
    });
}

/// conv – max 2/2 – fc1, ReLU – fc2, softmax; each step, all gradients and the fast gradient sign picture.
void check_small_network(const Json& values, const std::string& name, Report& report)
{
    const auto kernels = shape_of(values.at("conv_w"));
    const int hidden = shape_of(values.at("fc1_w")).at(0), classes = shape_of(values.at("fc2_w")).at(0);
    const Conv2d conv{kernels.at(0), kernels.at(3), values.value("stride", 1), values.value("pad", 0)};
    const Pool pool{Pool::Kind::maximum, values.value("pool_kernel", 2), values.value("pool_stride", 2)};
    const auto x       = numbers(values.at("x"));
    const auto labels  = values.at("labels").get<std::vector<int>>();
    const int n        = static_cast<int>(labels.size());
    const char* keys[] = {"conv_w", "conv_b", "fc1_w", "fc1_b", "fc2_w", "fc2_b"};
    std::vector<double> weights;
    for (const char* key : keys)
        weights = joined(weights, numbers(values.at(key)));
    const std::vector<Layer> layers{conv, pool, Dense{hidden}, Activation{ActivationKind::relu}, Dense{classes}};
    both([&](auto t) {
        using T = decltype(t);
        Case check(report, name + precision_name<T>(), values.at("expected"), tolerance<T>);
        const std::size_t n_conv = numbers(values.at("conv_w")).size() + numbers(values.at("conv_b")).size();
        for (std::size_t depth = 1; depth <= 2; ++depth) {
            const Architecture front = images_through(
                values.at("x"), {layers.begin(), layers.begin() + static_cast<std::ptrdiff_t>(depth)});
            const auto size = static_cast<std::size_t>(n) * static_cast<std::size_t>(shapes_of(front).back().size());
            check.near(depth == 1 ? "conv" : "pool",
                       pass_through_layers<T>(front, part(weights, 0, n_conv), x, std::vector<double>(size)).features);
        }
        double loss     = 0;
        const auto pass = pass_through<T>(images_through(values.at("x"), layers), weights, x,
                                          [&](const std::vector<double>& logits) {
            std::vector<double> dz(logits.size());
            loss = negative_log_likelihood<double>({}, logits, n, classes, {labels, {}}, dz, 1.0 / n) / n;
            return dz;
        });
        check.near("fc1", pass.features);
        check.near("logits", pass.outputs);
        check.near("loss_mean", loss);
        std::size_t begin = 0;
        for (const char* key : keys) {
            const std::size_t size = numbers(values.at(key)).size();
            check.near(std::string("d_") + key, part(pass.weight_gradient, begin, size));
            begin += size;
        }
        check.near("d_x", pass.input_gradient);
        if (sizeof(T) == sizeof(double)
            && check.wants("fgsm_x")) {   // in float the sign of a gradient of 1e-9 is uncertain
            const double step = values.contains("fgsm_epsilon") ? values.at("fgsm_epsilon")
                                                                : values.at("expected").at("fgsm_epsilon");
            std::vector<double> moved;
            for (std::size_t i = 0; i < x.size(); ++i) {
                const double g = pass.input_gradient[i];
                moved.push_back(std::clamp(x[i] + step * (g > 0 ? 1 : g < 0 ? -1 : 0), 0.0, 1.0));
            }
            check.near("fgsm_x", moved);
        }
    });
}

}   // namespace credence::reference
