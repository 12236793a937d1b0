// SPDX-License-Identifier: GPL-3.0-or-later
#include "checks.h"
#include "formula_numbers.h"
#include "one_block.h"
#include "one_pass.h"

#include "network/likelihood.h"

namespace credence::reference {
namespace {

/// The network's layers, and how many of ours each entry of the file's list reaches (a fused ReLU
/// is a layer of its own here).
struct Listed {
    Architecture architecture;
    std::vector<std::size_t> depth;
};

Listed layers_of(const Json& values)
{
    const auto shape = values.at("input_shape").get<std::vector<int>>();
    Listed listed;
    if (shape.size() == 3)
        listed.architecture.image = ImageShape{shape[0], shape[1], shape[2]};
    listed.architecture.inputs = 1;
    for (const int side : shape)
        listed.architecture.inputs *= side;
    auto& layers = listed.architecture.layers;
    for (const Json& layer : values.at("layers")) {
        const auto type = layer.at("type").get<std::string>();
        const auto pool = [&](Pool::Kind kind) {
            layers.push_back(Pool{kind, layer.at("kernel"), layer.value("stride", layer.at("kernel").get<int>())});
        };
        if (type == "conv")
            layers.push_back(
                Conv2d{layer.at("out"), layer.at("kernel"), layer.value("stride", 1), layer.value("pad", 0)});
        else if (type == "fc")
            layers.push_back(Dense{layer.at("out")});
        else if (type == "maxpool")
            pool(Pool::Kind::maximum);
        else if (type == "avepool")
            pool(Pool::Kind::average);
        else if (type == "lrn")
            layers.push_back(ResponseNorm{layer.value("size", 3), layer.at("alpha"), layer.at("beta")});
        else if (type == "relu")
            layers.push_back(Activation{ActivationKind::relu});
        else if (type == "flatten")
            layers.push_back(Flatten{});
        else
            throw std::runtime_error("found a layer of type '" + type
                                     + "', expected conv, fc, maxpool, avepool, lrn, relu or flatten");
        if (layer.value("relu", false))
            layers.push_back(Activation{ActivationKind::relu});
        listed.depth.push_back(layers.size());
    }
    return listed;
}

/// The outputs of the first `depth` layers.
template <class T>
std::vector<double> activations(const Architecture& whole, std::size_t depth, const std::vector<double>& weights,
                                const std::vector<double>& x, int n)
{
    Architecture first{
        whole.inputs, {whole.layers.begin(), whole.layers.begin() + static_cast<std::ptrdiff_t>(depth)}, whole.image};
    const std::size_t size = static_cast<std::size_t>(n) * static_cast<std::size_t>(shapes_of(first).back().size());
    return pass_through_layers<T>(first, part(weights, 0, layout_of(first).size()), x, std::vector<double>(size))
        .features;
}

template <class T>
void check_network(const Listed& listed, const std::vector<double>& weights, const Json& values,
                   const std::string& name, Report& report)
{
    const bool exact          = sizeof(T) == sizeof(double);
    const Tolerance tolerance = exact ? Tolerance{1e-10, 1e-12} : in_float;
    const int n = values.at("N"), classes = listed.architecture.outputs();
    const auto x         = hash01(values.at("seed_input"),
                                  static_cast<std::size_t>(n) * static_cast<std::size_t>(listed.architecture.inputs));
    const auto labels    = values.at("labels").get<std::vector<int>>();
    const Json& expected = values.at("expected");
    Case check(report, name + precision_name<T>(), expected, tolerance);
    check.exact("n_parameters", std::vector<double>{static_cast<double>(layout_of(listed.architecture).size())});

    if (expected.contains("activations"))
        for (std::size_t l = 0; l < expected.at("activations").size(); ++l)
            check_summary(check, expected.at("activations")[l], "activations " + std::to_string(l),
                          activations<T>(listed.architecture, listed.depth.at(l), weights, x, n), tolerance);
    double loss     = 0;
    const auto pass = pass_through<T>(listed.architecture, weights, x, [&](const std::vector<double>& logits) {
        std::vector<double> dz(logits.size());
        loss = negative_log_likelihood<double>({}, logits, n, classes, {labels, {}}, dz, 1.0 / n) / n;
        return dz;
    });
    check.near("logits", pass.outputs);
    check.near("loss_mean", loss);
    if (!exact)
        return;   // where two values in a window nearly agree, float can send the gradient to the other one
    if (expected.contains("grads")) {
        const auto blocks = layout_of(listed.architecture).blocks;
        for (std::size_t b = 0; b < expected.at("grads").size(); ++b)
            check_summary(check, expected.at("grads")[b], "grads " + std::to_string(b),
                          part(pass.weight_gradient, blocks.at(b).begin, blocks.at(b).size), tolerance);
    }
    if (expected.contains("input_grad"))
        check_summary(check, expected.at("input_grad"), "input_grad", pass.input_gradient, tolerance);
}

}   // namespace

void check_whole_network(const Json& values, const std::string& name, Report& report)
{
    const Listed listed = layers_of(values);
    std::vector<double> weights;
    for (const Json& parameter : values.at("parameters")) {
        std::size_t size = 1;
        for (const std::size_t side : parameter.at("shape"))
            size *= side;
        weights = joined(weights, symmetric(parameter.at("seed"), size, parameter.at("scale")));
    }
    check_network<double>(listed, weights, values, name, report);
    check_network<float>(listed, weights, values, name, report);
}

void check_hash(const Json& values, const std::string& name, Report& report)
{
    Case check(report, name, values, {0, 0});
    for (const std::string suffix : {"", "2"})
        if (values.contains("seed" + suffix) && values.contains("first" + suffix))
            check.near("first" + suffix, hash01(values.at("seed" + suffix), values.at("first" + suffix).size()));
}

}   // namespace credence::reference
