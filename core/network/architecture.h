// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/layer.h"

#include <nlohmann/json_fwd.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace credence {

/// Initial distribution of weights; biases start at 0.
enum class Initialisation {
    he,         ///< N(0, 2 / fan-in): for ReLU
    glorot,     ///< U(±√(6 / (fan-in + fan-out))): for tanh and sigmoid
    caffe,      ///< U(±√(3 / fan-in)): "xavier" of Caffe, used by Posch and Pilz 2021
    gaussian,   ///< N(0, sd²) with an sd for each layer: "gaussian" of Caffe
};

/// A network as a value: inputs, layers, and outputs (the units of the last dense layer).
struct Architecture {
    int inputs = 2;
    std::vector<Layer> layers;
    std::optional<ImageShape> image = {};   ///< shape of the inputs, image->size() == inputs; empty: a plain vector

    int outputs() const;
    void check() const;   ///< @throws Error that names the layer, also if the network does not fit into memory
    bool operator==(const Architecture&) const = default;
};

/// Output shape of each layer [layers.size()]; a plain vector of n numbers is n × 1 × 1.
/// @throws Error as check() does
std::vector<ImageShape> shapes_of(const Architecture& architecture);

/// The saved image alongside the input of each layer [layers.size()], with the step of the layer.
/// @throws Error as check() does
std::vector<SavedImage> saved_images_of(const Architecture& architecture);

/// Number of layers up to and including the last one that needs an image; 0: none does.
std::size_t layers_that_see_images(const Architecture& architecture);

/// inputs – hidden[0] – activation – … – outputs, all dense.
/// @param dropout        rate after each hidden activation; 0 for none
/// @param input_dropout  rate before the first layer; 0 for none
Architecture mlp(int inputs, const std::vector<int>& hidden, int outputs,
                 ActivationKind activation = ActivationKind::relu, double dropout = 0, double input_dropout = 0);

/// The same with a dropout layer before every weight layer ("Bernoulli" in Posch and Pilz 2021).
Architecture with_dropout_before_weights(const Architecture& plain, double rate);

void to_json(nlohmann::json& json, const Architecture& architecture);
void from_json(const nlohmann::json& json, Architecture& architecture);

/// Reads layers from one line of text, separated by commas: "conv 20 5, max 2, conv 50 5, max 2,
/// dense 500, relu". The syntax is described by layer_syntax().
/// @throws Error that names the layer: "Layer 2 of the network: found 'pool 2', expected …"
std::vector<Layer> layers_from_text(const std::string& text);

/// Returns the text from which layers_from_text recreates these layers. For an Architecture: all of
/// its layers, including the last dense one.
std::string layers_text(const std::vector<Layer>& layers);
std::string layers_text(const Architecture& architecture);

enum class BlockKind { weights, biases };

/// One block of the flat weight vector: the weights or the biases of one layer.
struct Block {
    std::string name;   ///< "dense 1 weights", "conv 2 biases": numbered within their kind
    BlockKind kind    = BlockKind::weights;
    int layer         = 0;   ///< 0-based among layers that have weights
    std::size_t begin = 0;   ///< first index in the flat vector
    std::size_t size  = 0;
    int fan_in = 0, fan_out = 0;

    std::size_t end() const { return begin + size; }
    bool operator==(const Block&) const = default;
};

/// Division of the flat weight vector into blocks: layer 1 weights, layer 1 biases, … Weights of a
/// dense layer are stored neuron by neuron ([out × in] row-major), those of a convolution kernel by
/// kernel ([filters × channels × rows × columns]). The tridiagonal family depends on this order.
/// Convolutions: fan-in channels · kernel², fan-out filters · kernel².
struct ParameterLayout {
    std::vector<Block> blocks;

    /// The two blocks of one layer.
    struct OfLayer {
        const Block &weights, &biases;
    };
    int n_layers() const { return static_cast<int>(blocks.size() / 2); }   ///< layers with weights
    /// @param l  0-based among the layers with weights
    OfLayer layer(int l) const
    {
        const auto weights = 2 * static_cast<std::size_t>(l);
        return {blocks[weights], blocks[weights + 1]};
    }
    std::size_t size() const { return blocks.empty() ? 0 : blocks.back().end(); }
    bool operator==(const ParameterLayout&) const = default;
};

ParameterLayout layout_of(const Architecture& architecture);

/// The value for a layer from a list with one entry per layer with weights; a shorter list repeats
/// its last number. @param list  not empty
inline double of_layer(const std::vector<double>& list, int layer)
{
    return list[std::min(static_cast<std::size_t>(layer), list.size() - 1)];
}

/// The layers with weights, in order.
std::vector<LayerWeights> weights_of_layers(const Architecture& architecture);

/// Initial weights [layout.size()], a pure function of the seed.
/// @param sd  only for Initialisation::gaussian, and then not empty: one per layer with weights; a
/// shorter list repeats its last number
std::vector<float> initial_weights(const ParameterLayout& layout, Initialisation initialisation, std::uint64_t seed,
                                   const std::vector<double>& sd = {});

// The networks of the papers, under the names used there (docs/maths.md, section 11).

/// Posch and Pilz 2021, Steinbrener et al. 2020: conv 20@5×5 – max 2/2 – conv 50@5×5 – max 2/2 –
/// dense h, ReLU – dense K; no activation after the convolutions. 431,080 parameters for 28×28
/// images, h = 500 and K = 10; 228,330 for h = 250, 106,680 for h = 100.
/// @param dropout  rate after the first dense layer; 0: none
/// @throws Error if the images are too small, as do all functions here
Architecture lenet_caffe(ImageShape image, int h, int classes, double dropout = 0);

/// The functional-BNN submission: conv 6, 16 and 120 (5×5, padding 2, ReLU), max 2/2 after the
/// first two, dense 84 ReLU, dense K.
Architecture lenet5(ImageShape image, int classes);

/// The functional-BNN submission, section 6.1, for traffic signs: conv 6@5×5, ReLU, max 2/2, conv
/// 16@5×5, ReLU, max 2/2, dense 128 ReLU, dense K. 56,996 parameters for 1×32×32 and K = 24; the
/// paper does not state its ReLUs; they are placed as in LeNet-5.
Architecture signs_lenet(ImageShape image, int classes);

/// Hobbhahn 2020, from the released notebooks: conv 32@5×5, ReLU, max 2/2, conv 64@5×5, ReLU, max
/// 2/2, dense 256 without activation, dense K.
Architecture bridge_cnn(ImageShape image, int classes);

/// Caffe's CIFAR10_full (Posch and Pilz 2021): conv 32 (5×5, padding 2) – max 3/2 – ReLU – LRN(3,
/// 5e-5, 0.75) – conv 32 – ReLU – average 3/2 – LRN – conv 64 – ReLU – average 3/2 – dense K.
/// 89,578 parameters for 3×32×32 and K = 10.
Architecture cifar10_full(ImageShape image, int classes);

/// A residual network of 6 n + 2 layers with weights, as He et al. 2016 have for CIFAR-10 (their
/// section 4.2): conv 16 (3×3), n blocks each with 16, 32 and 64 filters, mean of each map, dense K;
/// the first block with 32 and with 64 filters has stride 2. Shortcuts have no weights (their
/// option A). Two choices of Credence differ. Normalisation and ReLU precede each convolution of a
/// block, as in their later paper. Filter response normalisation replaces batch normalisation, except
/// before the mean, from which it would remove the size of the map. 75,050 parameters for 3×32×32,
/// n = 1 and K = 10; 172,042 for n = 2.
/// @param blocks  n
Architecture resnet(ImageShape image, int blocks, int classes);

}   // namespace credence
