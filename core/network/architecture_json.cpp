// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "network/architecture.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace credence {
namespace {

constexpr std::pair<ActivationKind, const char*> activation_names[] = {
    {ActivationKind::relu, "relu"},         {ActivationKind::tanh, "tanh"}, {ActivationKind::sigmoid, "sigmoid"},
    {ActivationKind::softplus, "softplus"}, {ActivationKind::elu, "elu"},   {ActivationKind::identity, "identity"},
};

using nlohmann::json;

json json_of(const Dense& dense) { return {{"dense", dense.units}}; }
json json_of(const Activation& activation) { return {{"activation", name_of(activation.kind)}}; }
json json_of(const Dropout& dropout) { return {{"dropout", dropout.rate}}; }
json json_of(const Conv2d& conv) { return {{"conv", conv.filters}, {"kernel", conv.kernel}, {"stride", conv.stride}, {"padding", conv.padding}}; }
json json_of(const Pool& pool)
{
    return {{"pool", pool.kind == Pool::Kind::maximum ? "maximum" : "average"}, {"kernel", pool.kernel}, {"stride", pool.stride}};
}
json json_of(const ResponseNorm& norm) { return {{"response_norm", norm.size}, {"alpha", norm.alpha}, {"beta", norm.beta}}; }
json json_of(const Flatten&) { return {{"flatten", true}}; }

[[noreturn]] void refuse(std::size_t layer, const std::string& what)
{
    throw Error("network.layers", "Layer " + std::to_string(layer + 1) + " of the network: " + what);
}

Layer layer_of(const json& layer, std::size_t l)
{
    if (layer.contains("dense")) return Dense{layer.at("dense").get<int>()};
    if (layer.contains("dropout")) return Dropout{layer.at("dropout").get<double>()};
    if (layer.contains("flatten")) return Flatten{};
    if (layer.contains("conv"))
        return Conv2d{layer.at("conv").get<int>(), layer.at("kernel").get<int>(), layer.value("stride", 1), layer.value("padding", 0)};
    if (layer.contains("response_norm"))
        return ResponseNorm{layer.at("response_norm").get<int>(), layer.at("alpha").get<double>(), layer.at("beta").get<double>()};
    if (layer.contains("pool")) {
        const auto kind = layer.at("pool").get<std::string>();
        if (kind != "maximum" && kind != "average") refuse(l, "found the pooling '" + kind + "', expected maximum or average.");
        return Pool{kind == "maximum" ? Pool::Kind::maximum : Pool::Kind::average, layer.at("kernel").get<int>(), layer.at("stride").get<int>()};
    }
    if (layer.contains("activation")) {
        const auto name = layer.at("activation").get<std::string>();
        for (const auto& [value, known_name] : activation_names)
            if (name == known_name) return Activation{value};
        refuse(l, "found the activation '" + name + "', expected relu, tanh, sigmoid, softplus, elu or identity.");
    }
    refuse(l, "found " + layer.dump() + ", expected dense, activation, dropout, conv, pool, response_norm or flatten.");
}

}  // namespace

const char* name_of(ActivationKind kind)
{
    for (const auto& [value, name] : activation_names)
        if (value == kind) return name;
    return "";
}

void to_json(json& out, const Architecture& architecture)
{
    out = {{"inputs", architecture.inputs}, {"layers", json::array()}};
    if (const auto& image = architecture.image) out["image"] = {image->channels, image->height, image->width};
    for (const Layer& layer : architecture.layers)
        out["layers"].push_back(std::visit([](const auto& one) { return json_of(one); }, layer));
}

void from_json(const json& in, Architecture& architecture)
{
    Architecture read;
    try {
        read.inputs = in.at("inputs").get<int>();
        if (in.contains("image")) {
            const json& image = in.at("image");
            read.image = ImageShape{image.at(0).get<int>(), image.at(1).get<int>(), image.at(2).get<int>()};
        }
        const json& layers = in.at("layers");
        for (std::size_t l = 0; l < layers.size(); ++l) read.layers.push_back(layer_of(layers.at(l), l));
    } catch (const json::exception& mistake) {
        throw Error("network", std::string("The network's description is not readable: ") + mistake.what() + ".");
    }
    read.check();
    architecture = std::move(read);
}

}  // namespace credence
