// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/architecture.h"

#include "foundation/error.h"
#include "random/noise.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <utility>

namespace credence {
namespace {

constexpr int largest_width = 1'000'000;

[[noreturn]] void refuse(std::size_t layer, const std::string& what)
{
    throw Error("network.layers", "Layer " + std::to_string(layer + 1) + " of the network: " + what);
}

constexpr std::pair<ActivationKind, const char*> activation_names[] = {
    {ActivationKind::relu, "relu"},         {ActivationKind::tanh, "tanh"}, {ActivationKind::sigmoid, "sigmoid"},
    {ActivationKind::softplus, "softplus"}, {ActivationKind::elu, "elu"},   {ActivationKind::identity, "identity"},
};

}  // namespace

const char* name_of(ActivationKind kind)
{
    for (const auto& [value, name] : activation_names)
        if (value == kind) return name;
    return "";
}

int Architecture::outputs() const
{
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer)
        if (const auto* dense = std::get_if<Dense>(&*layer)) return dense->units;
    return inputs;
}

void Architecture::check() const
{
    if (inputs < 1) throw Error("network.inputs", "The network has " + std::to_string(inputs) + " inputs, expected at least 1.");
    if (layers.empty() || !std::holds_alternative<Dense>(layers.back()))
        throw Error("network.layers", "The network does not end with a dense layer; expected one whose units are the outputs.");
    for (std::size_t l = 0; l < layers.size(); ++l) {
        if (const auto* dense = std::get_if<Dense>(&layers[l])) {
            if (dense->units < 1 || dense->units > largest_width)
                refuse(l, "found " + std::to_string(dense->units) + " units, expected 1 to 1,000,000.");
        } else if (const auto* dropout = std::get_if<Dropout>(&layers[l])) {
            if (!(dropout->rate >= 0 && dropout->rate < 1))
                refuse(l, "found the dropout rate " + std::to_string(dropout->rate) + ", expected at least 0 and below 1.");
        }
    }
}

Architecture mlp(int inputs, const std::vector<int>& hidden, int outputs, ActivationKind activation, double dropout)
{
    Architecture network{inputs, {}};
    for (int units : hidden) {
        network.layers.push_back(Dense{units});
        if (activation != ActivationKind::identity) network.layers.push_back(Activation{activation});
        if (dropout > 0) network.layers.push_back(Dropout{dropout});
    }
    network.layers.push_back(Dense{outputs});
    network.check();
    return network;
}

Architecture with_dropout_before_weights(const Architecture& plain, double rate)
{
    Architecture network{plain.inputs, {}};
    for (const Layer& layer : plain.layers) {
        if (std::holds_alternative<Dense>(layer)) network.layers.push_back(Dropout{rate});
        network.layers.push_back(layer);
    }
    network.check();
    return network;
}

void to_json(nlohmann::json& json, const Architecture& architecture)
{
    json = {{"inputs", architecture.inputs}, {"layers", nlohmann::json::array()}};
    for (const Layer& layer : architecture.layers) {
        if (const auto* dense = std::get_if<Dense>(&layer)) json["layers"].push_back({{"dense", dense->units}});
        else if (const auto* activation = std::get_if<Activation>(&layer)) json["layers"].push_back({{"activation", name_of(activation->kind)}});
        else json["layers"].push_back({{"dropout", std::get<Dropout>(layer).rate}});
    }
}

void from_json(const nlohmann::json& json, Architecture& architecture)
{
    Architecture read;
    try {
        read.inputs = json.at("inputs").get<int>();
        const nlohmann::json& layers = json.at("layers");
        for (std::size_t l = 0; l < layers.size(); ++l) {
            const nlohmann::json& layer = layers.at(l);
            if (layer.contains("dense")) {
                read.layers.push_back(Dense{layer.at("dense").get<int>()});
            } else if (layer.contains("dropout")) {
                read.layers.push_back(Dropout{layer.at("dropout").get<double>()});
            } else if (layer.contains("activation")) {
                const auto name = layer.at("activation").get<std::string>();
                bool known = false;
                for (const auto& [value, known_name] : activation_names) {
                    if (name != known_name) continue;
                    read.layers.push_back(Activation{value});
                    known = true;
                }
                if (!known) refuse(l, "found the activation '" + name + "', expected relu, tanh, sigmoid, softplus, elu or identity.");
            } else {
                refuse(l, "found " + layer.dump() + ", expected dense, activation or dropout.");
            }
        }
    } catch (const nlohmann::json::exception& mistake) {
        throw Error("network", std::string("The network's description is not readable: ") + mistake.what() + ".");
    }
    read.check();
    architecture = std::move(read);
}

ParameterLayout layout_of(const Architecture& architecture)
{
    ParameterLayout layout;
    int width = architecture.inputs;
    int layer_number = 0;
    for (const Layer& layer : architecture.layers) {
        const auto* dense = std::get_if<Dense>(&layer);
        if (!dense) continue;
        const std::string name = "dense " + std::to_string(layer_number + 1);
        const auto in = static_cast<std::size_t>(width), out = static_cast<std::size_t>(dense->units);
        layout.blocks.push_back({name + " weights", BlockKind::weights, layer_number, layout.size(), in * out, width, dense->units});
        layout.blocks.push_back({name + " biases", BlockKind::biases, layer_number, layout.size(), out, width, dense->units});
        width = dense->units;
        ++layer_number;
    }
    return layout;
}

std::vector<float> initial_weights(const ParameterLayout& layout, Initialisation initialisation, std::uint64_t seed)
{
    std::vector<float> weights(layout.size(), 0.0f);
    for (const Block& block : layout.blocks) {
        if (block.kind == BlockKind::biases) continue;
        const NoiseKey key{seed, Stream::initial_weights, static_cast<std::uint32_t>(block.layer)};
        const std::span<float> values(weights.data() + block.begin, block.size);
        if (initialisation == Initialisation::he) {
            standard_normals(key, 0, values);
            const float sd = std::sqrt(2.0f / static_cast<float>(block.fan_in));
            for (float& value : values) value *= sd;
        } else {
            const float bound = initialisation == Initialisation::glorot ? std::sqrt(6.0f / static_cast<float>(block.fan_in + block.fan_out))
                                                                         : std::sqrt(3.0f / static_cast<float>(block.fan_in));
            uniforms(key, 0, values);
            for (float& value : values) value = bound * (2 * value - 1);
        }
    }
    return weights;
}

}  // namespace credence
