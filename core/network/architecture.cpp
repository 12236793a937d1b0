// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/architecture.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "random/noise.h"

#include <cmath>
#include <utility>

namespace credence {
namespace {

constexpr std::size_t largest_depth = 1000;            // layers
constexpr int       largest_width = 1'000'000;         // units of a dense layer
constexpr int       largest_side = 4096;               // kernels, strides, paddings, sides of an image
constexpr int       largest_window = 255;              // of pooling
constexpr long long largest_image = 16'777'216;        // numbers of one example that leave one layer
constexpr long long largest_patches = 67'108'864;      // numbers of one example's patches, the columns of a convolution
constexpr long long largest_network = 250'000'000;     // weights

[[noreturn]] void refuse(std::size_t layer, const std::string& what)
{
    throw Error("network.layers", "Layer " + std::to_string(layer + 1) + " of the network: " + what);
}

std::string text_of(ImageShape shape)
{
    return std::to_string(shape.channels) + "×" + std::to_string(shape.height) + "×" + std::to_string(shape.width);
}

/// What flows between two layers.
struct Flow {
    ImageShape shape;
    bool       is_image = false;
    long long  weights = 0;   // of all layers so far
};

void require_range(std::size_t layer, const char* what, long value, long least, long most)
{
    if (value < least || value > most)
        refuse(layer, std::string("found ") + what + " " + std::to_string(value) + ", expected " + std::to_string(least) + " to " + std::to_string(most) + ".");
}
void require_image(std::size_t layer, const char* what, const Flow& flow)
{
    if (!flow.is_image) refuse(layer, std::string(what) + " needs an image, found a plain vector of " + std::to_string(flow.shape.channels) + " numbers.");
}
/// Sides in long long, so that nothing overflows before it is refused.
ImageShape image_of(std::size_t layer, long long channels, long long height, long long width)
{
    if (channels * height * width > largest_image)
        refuse(layer, "one example would become " + std::to_string(channels * height * width) + " numbers, expected at most " + std::to_string(largest_image) + ".");
    return {static_cast<int>(channels), static_cast<int>(height), static_cast<int>(width)};
}
void add_weights(std::size_t layer, Flow& flow, long long weights)
{
    flow.weights += weights;
    if (flow.weights > largest_network)
        refuse(layer, "the network would have " + std::to_string(flow.weights) + " weights, expected at most " + std::to_string(largest_network) + ".");
}

void pass(std::size_t l, const Dense& dense, Flow& flow)
{
    if (dense.units < 1 || dense.units > largest_width) refuse(l, "found " + std::to_string(dense.units) + " units, expected 1 to 1,000,000.");
    add_weights(l, flow, static_cast<long long>(dense.units) * (flow.shape.size() + 1LL));
    flow = {{dense.units, 1, 1}, false, flow.weights};
}
void pass(std::size_t, const Activation&, Flow&) {}
void pass(std::size_t l, const Dropout& dropout, Flow&)
{
    if (!(dropout.rate >= 0 && dropout.rate < 1))
        refuse(l, "found the dropout rate " + plain_text(dropout.rate) + ", expected at least 0 and below 1.");
}
void pass(std::size_t l, const Conv2d& conv, Flow& flow)
{
    require_image(l, "a convolution", flow);
    require_range(l, "filters", conv.filters, 1, largest_width);
    require_range(l, "the kernel", conv.kernel, 1, largest_side);
    require_range(l, "the stride", conv.stride, 1, largest_side);
    require_range(l, "the padding", conv.padding, 0, largest_side);
    const ImageShape in = flow.shape;
    if (conv.kernel > in.height + 2 * conv.padding || conv.kernel > in.width + 2 * conv.padding)
        refuse(l, "the kernel " + std::to_string(conv.kernel) + "×" + std::to_string(conv.kernel) + " is larger than the image " + text_of(in) + " with padding " +
                      std::to_string(conv.padding) + ".");
    const long long patch = static_cast<long long>(in.channels) * conv.kernel * conv.kernel;
    const ImageShape out = image_of(l, conv.filters, (in.height + 2 * conv.padding - conv.kernel) / conv.stride + 1,
                                    (in.width + 2 * conv.padding - conv.kernel) / conv.stride + 1);
    const long long places = static_cast<long long>(out.height) * out.width;
    if (patch > largest_patches / places || patch * conv.filters > largest_network)
        refuse(l, "its patches or kernels would not fit into memory: " + std::to_string(patch) + " numbers each.");
    add_weights(l, flow, static_cast<long long>(conv.filters) * (patch + 1));
    flow.shape = out;
}
void pass(std::size_t l, const Pool& pool, Flow& flow)
{
    require_image(l, "pooling", flow);
    require_range(l, "the window", pool.kernel, 1, largest_window);
    require_range(l, "the stride", pool.stride, 1, largest_side);
    const auto side = [&](int in) {
        const int gap = in - pool.kernel;
        int out = (gap >= 0 ? (gap + pool.stride - 1) / pool.stride : -(-gap / pool.stride)) + 1;
        if (out > 1 && (out - 1) * pool.stride >= in) --out;   // the last window would begin beyond the border
        return out;
    };
    const int height = side(flow.shape.height), width = side(flow.shape.width);
    if (height < 1 || width < 1)
        refuse(l, "the window " + std::to_string(pool.kernel) + "×" + std::to_string(pool.kernel) + " is larger than the image " + text_of(flow.shape) + ".");
    flow.shape = image_of(l, flow.shape.channels, height, width);
}
void pass(std::size_t l, const ResponseNorm& norm, Flow& flow)
{
    require_image(l, "response normalisation", flow);
    if (norm.size < 1 || norm.size > largest_side || norm.size % 2 == 0)
        refuse(l, "found the size " + std::to_string(norm.size) + " of response normalisation, expected an odd number from 1 to 4095.");
    if (!(norm.alpha >= 0 && norm.alpha <= 1e6) || !(norm.beta >= 0 && norm.beta <= 100))
        refuse(l, "found alpha " + plain_text(norm.alpha) + " and beta " + plain_text(norm.beta) + " of response normalisation, expected 0 to 1e6 and 0 to 100.");
}
void pass(std::size_t, const Flatten&, Flow& flow) { flow = {{flow.shape.size(), 1, 1}, false, flow.weights}; }

}  // namespace

std::vector<ImageShape> shapes_of(const Architecture& architecture)
{
    const int inputs = architecture.inputs;
    if (inputs < 1) throw Error("network.inputs", "The network has " + std::to_string(inputs) + " inputs, expected at least 1.");
    Flow flow{{inputs, 1, 1}};
    if (architecture.layers.size() > largest_depth)
        throw Error("network.layers", "The network has " + std::to_string(architecture.layers.size()) + " layers, expected at most " + std::to_string(largest_depth) + ".");
    if (architecture.image) {
        const ImageShape image = *architecture.image;
        const bool possible = image.channels >= 1 && image.height >= 1 && image.width >= 1 && image.height <= largest_side && image.width <= largest_side &&
                              static_cast<long long>(image.channels) * image.height * image.width == inputs;
        if (!possible)
            throw Error("network.inputs", "The network has " + std::to_string(inputs) + " inputs, expected as many as the image " + text_of(image) + " has numbers.");
        flow = {image, true};
    }
    std::vector<ImageShape> shapes;
    for (std::size_t l = 0; l < architecture.layers.size(); ++l) {
        std::visit([&](const auto& layer) { pass(l, layer, flow); }, architecture.layers[l]);
        shapes.push_back(flow.shape);
    }
    return shapes;
}

int Architecture::outputs() const
{
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer)
        if (const auto* dense = std::get_if<Dense>(&*layer)) return dense->units;
    return inputs;
}

void Architecture::check() const
{
    shapes_of(*this);
    if (layers.empty() || !std::holds_alternative<Dense>(layers.back()))
        throw Error("network.layers", "The network does not end with a dense layer; expected one whose units are the outputs.");
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
    Architecture network{plain.inputs, {}, plain.image};
    for (const Layer& layer : plain.layers) {
        if (std::holds_alternative<Dense>(layer) || std::holds_alternative<Conv2d>(layer)) network.layers.push_back(Dropout{rate});
        network.layers.push_back(layer);
    }
    network.check();
    return network;
}

ParameterLayout layout_of(const Architecture& architecture)
{
    ParameterLayout layout;
    const std::vector<ImageShape> shapes = shapes_of(architecture);
    ImageShape in = architecture.image.value_or(ImageShape{architecture.inputs, 1, 1});
    int layer_number = 0, dense_layers = 0, convolutions = 0;
    const auto add = [&](const std::string& name, int per_unit, int units, int fan_out) {
        const auto weights = static_cast<std::size_t>(per_unit) * units, biases = static_cast<std::size_t>(units);
        layout.blocks.push_back({name + " weights", BlockKind::weights, layer_number, layout.size(), weights, per_unit, fan_out});
        layout.blocks.push_back({name + " biases", BlockKind::biases, layer_number, layout.size(), biases, per_unit, fan_out});
        ++layer_number;
    };
    for (std::size_t l = 0; l < shapes.size(); ++l) {
        if (const auto* dense = std::get_if<Dense>(&architecture.layers[l])) {
            add("dense " + std::to_string(++dense_layers), in.size(), dense->units, dense->units);
        } else if (const auto* conv = std::get_if<Conv2d>(&architecture.layers[l])) {
            const int area = conv->kernel * conv->kernel;
            add("conv " + std::to_string(++convolutions), in.channels * area, conv->filters, conv->filters * area);
        }
        in = shapes[l];
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
