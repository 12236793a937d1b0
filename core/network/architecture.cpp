// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/architecture.h"

#include "foundation/error.h"
#include "random/noise.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

namespace credence {
namespace {

constexpr std::size_t largest_depth = 1000;   // layers

/// The data after each layer.
std::vector<Flow> flows_of(const Architecture& architecture)
{
    const int inputs = architecture.inputs;
    if (inputs < 1)
        throw Error("network.inputs", "The network has " + std::to_string(inputs) + " inputs, expected at least 1.");
    Flow flow{.shape = {inputs, 1, 1}};
    if (architecture.layers.size() > largest_depth)
        throw Error("network.layers", "The network has " + std::to_string(architecture.layers.size())
                                          + " layers, expected at most " + std::to_string(largest_depth) + ".");
    if (architecture.image) {
        const ImageShape image = *architecture.image;
        const bool possible    = image.channels >= 1 && image.height >= 1 && image.width >= 1
                              && image.height <= largest_side && image.width <= largest_side
                              && static_cast<long long>(image.channels) * image.height * image.width == inputs;
        if (!possible)
            throw Error("network.inputs", "The network has " + std::to_string(inputs)
                                              + " inputs, expected as many as the image " + text_of(image)
                                              + " has values.");
        flow.shape    = image;
        flow.is_image = true;
    }
    std::vector<Flow> flows;
    for (std::size_t l = 0; l < architecture.layers.size(); ++l) {
        flow.layer = l;
        pass(architecture.layers[l], flow);
        flows.push_back(flow);
    }
    return flows;
}

}   // namespace

std::vector<ImageShape> shapes_of(const Architecture& architecture)
{
    std::vector<ImageShape> shapes;
    for (const Flow& flow : flows_of(architecture))
        shapes.push_back(flow.shape);
    return shapes;
}

std::vector<SavedImage> saved_images_of(const Architecture& architecture)
{
    std::vector<SavedImage> saved;
    int channels = 0;
    for (const Flow& flow : flows_of(architecture)) {
        saved.push_back({channels, flow.saved.step});
        channels = flow.saved.channels;
    }
    return saved;
}

int Architecture::outputs() const
{
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer)
        if (const auto* dense = std::get_if<Dense>(&*layer))
            return dense->units;
    return inputs;
}

void Architecture::check() const
{
    shapes_of(*this);
    if (layers.empty() || !std::holds_alternative<Dense>(layers.back()))
        throw Error("network.layers",
                    "The network does not end with a dense layer; expected a dense layer whose units are the outputs.");
}

Architecture mlp(int inputs, const std::vector<int>& hidden, int outputs, ActivationKind activation, double dropout,
                 double input_dropout)
{
    Architecture network{inputs, {}};
    if (input_dropout > 0)
        network.layers.push_back(Dropout{input_dropout});
    for (int units : hidden) {
        network.layers.push_back(Dense{units});
        if (activation != ActivationKind::identity)
            network.layers.push_back(Activation{activation});
        if (dropout > 0)
            network.layers.push_back(Dropout{dropout});
    }
    network.layers.push_back(Dense{outputs});
    network.check();
    return network;
}

Architecture with_dropout_before_weights(const Architecture& plain, double rate)
{
    Architecture network{plain.inputs, {}, plain.image};
    for (const Layer& layer : plain.layers) {
        if (has_weights(layer))
            network.layers.push_back(Dropout{rate});
        network.layers.push_back(layer);
    }
    network.check();
    return network;
}

std::size_t layers_that_see_images(const Architecture& architecture)
{
    std::size_t l = architecture.layers.size();
    while (l > 0 && !needs_image(architecture.layers[l - 1]))
        --l;
    return l;
}

std::vector<LayerWeights> weights_of_layers(const Architecture& architecture)
{
    std::vector<LayerWeights> all;
    const std::vector<ImageShape> shapes = shapes_of(architecture);
    ImageShape in                        = architecture.image.value_or(ImageShape{architecture.inputs, 1, 1});
    for (std::size_t l = 0; l < shapes.size(); ++l) {
        if (has_weights(architecture.layers[l]))
            all.push_back(layer_weights(architecture.layers[l], in, shapes[l]));
        in = shapes[l];
    }
    return all;
}

ParameterLayout layout_of(const Architecture& architecture)
{
    ParameterLayout layout;
    std::map<std::string, int> numbers;   // within a kind
    int layer = 0;
    for (const LayerWeights& of : weights_of_layers(architecture)) {
        const std::string name = std::string(of.name) + ' ' + std::to_string(++numbers[of.name]);
        const auto weights     = static_cast<std::size_t>(of.per_unit) * of.units,
                   biases      = static_cast<std::size_t>(of.units);
        layout.blocks.push_back(
            {name + " weights", BlockKind::weights, layer, layout.size(), weights, of.per_unit, of.fan_out});
        layout.blocks.push_back(
            {name + " biases", BlockKind::biases, layer, layout.size(), biases, of.per_unit, of.fan_out});
        ++layer;
    }
    return layout;
}

std::vector<float> initial_weights(const ParameterLayout& layout, Initialisation initialisation, std::uint64_t seed,
                                   const std::vector<double>& sd)
{
    std::vector<float> weights(layout.size(), 0.0f);
    for (const Block& block : layout.blocks) {
        if (block.kind == BlockKind::biases)
            continue;
        const NoiseKey key{seed, Stream::initial_weights, static_cast<std::uint32_t>(block.layer)};
        const std::span<float> values(weights.data() + block.begin, block.size);
        if (initialisation == Initialisation::he || initialisation == Initialisation::gaussian) {
            standard_normals(key, 0, values);
            const float scale = initialisation == Initialisation::he
                                    ? std::sqrt(2.0f / static_cast<float>(block.fan_in))
                                    : static_cast<float>(of_layer(sd, block.layer));
            for (float& value : values)
                value *= scale;
        } else {
            const float bound = initialisation == Initialisation::glorot
                                    ? std::sqrt(6.0f / static_cast<float>(block.fan_in + block.fan_out))
                                    : std::sqrt(3.0f / static_cast<float>(block.fan_in));
            uniforms(key, 0, values);
            for (float& value : values)
                value = bound * (2 * value - 1);
        }
    }
    return weights;
}

using nlohmann::json;

void to_json(json& out, const Architecture& architecture)
{
    out = {{"inputs", architecture.inputs}, {"layers", json::array()}};
    if (const auto& image = architecture.image)
        out["image"] = {image->channels, image->height, image->width};
    for (const Layer& layer : architecture.layers)
        out["layers"].push_back(json_of(layer));
}

void from_json(const json& in, Architecture& architecture)
{
    Architecture read;
    try {
        read.inputs = in.at("inputs").get<int>();
        if (in.contains("image")) {
            const json& image = in.at("image");
            read.image        = ImageShape{image.at(0).get<int>(), image.at(1).get<int>(), image.at(2).get<int>()};
        }
        const json& layers = in.at("layers");
        for (std::size_t l = 0; l < layers.size(); ++l)
            read.layers.push_back(layer_from_json(layers.at(l), l));
    } catch (const json::exception& mistake) {
        throw Error("network", std::string("The network's description is not readable: ") + mistake.what() + ".");
    }
    read.check();
    architecture = std::move(read);
}

std::vector<Layer> layers_from_text(const std::string& text)
{
    std::vector<Layer> layers;
    if (text.find_first_not_of(" \t\r\n") == std::string::npos)
        return layers;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        LayerWords words(std::string_view(text).substr(begin, end - begin), layers.size());
        if (words.empty())
            words.refuse("expected " + layer_words() + ".");
        layers.push_back(layer_from_text(words));
        if (words.more())
            words.refuse("expected a comma before '" + std::string(words.word()) + "'.");
        begin = end + 1;
    }
    return layers;
}

std::string layers_text(const std::vector<Layer>& layers)
{
    std::string text;
    for (const Layer& layer : layers) {
        if (!text.empty())
            text += ", ";
        text += text_of(layer);
    }
    return text;
}

std::string layers_text(const Architecture& architecture) { return layers_text(architecture.layers); }

namespace {

constexpr Activation relu{ActivationKind::relu};
constexpr Pool max_2{Pool::Kind::maximum, 2, 2};
constexpr Conv2d padded(int filters) { return {filters, 5, 1, 2}; }

Architecture of(ImageShape image, std::vector<Layer> layers)
{
    Architecture network{image.size(), std::move(layers), image};
    network.check();
    return network;
}

}   // namespace

Architecture lenet_caffe(ImageShape image, int h, int classes, double dropout)
{
    std::vector<Layer> layers{Conv2d{20, 5}, max_2, Conv2d{50, 5}, max_2, Dense{h}, relu};
    if (dropout != 0)
        layers.push_back(Dropout{dropout});
    layers.push_back(Dense{classes});
    return of(image, std::move(layers));
}

Architecture lenet5(ImageShape image, int classes)
{
    return of(image,
              {padded(6), relu, max_2, padded(16), relu, max_2, padded(120), relu, Dense{84}, relu, Dense{classes}});
}

Architecture signs_lenet(ImageShape image, int classes)
{
    return of(image, {Conv2d{6, 5}, relu, max_2, Conv2d{16, 5}, relu, max_2, Dense{128}, relu, Dense{classes}});
}

Architecture bridge_cnn(ImageShape image, int classes)
{
    return of(image, {Conv2d{32, 5}, relu, max_2, Conv2d{64, 5}, relu, max_2, Dense{256}, Dense{classes}});
}

Architecture cifar10_full(ImageShape image, int classes)
{
    constexpr Pool average{Pool::Kind::average, 3, 2};
    constexpr ResponseNorm norm{3, 5e-5, 0.75};
    return of(image, {padded(32), Pool{Pool::Kind::maximum, 3, 2}, relu, norm, padded(32), relu, average, norm,
                      padded(64), relu, average, Dense{classes}});
}

Architecture resnet(ImageShape image, int blocks, int classes)
{
    constexpr FilterResponseNorm norm;
    std::vector<Layer> layers{Conv2d{16, 3, 1, 1}};
    int side = std::max(image.height, image.width);
    for (const int filters : {16, 32, 64})
        for (int block = 0; block < blocks; ++block) {
            const int stride = filters > 16 && block == 0 ? 2 : 1;
            layers.insert(layers.end(), {Save{}, norm, relu, Conv2d{filters, 3, stride, 1}, norm, relu,
                                         Conv2d{filters, 3, 1, 1}, Add{}});
            side = (side + stride - 1) / stride;
        }
    layers.insert(layers.end(), {relu, Pool{Pool::Kind::average, side, side}, Dense{classes}});
    return of(image, std::move(layers));
}

}   // namespace credence
