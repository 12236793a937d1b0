// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/convolution.h"
#include "layers/limits.h"
#include "layers/notation.h"

#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace credence {

template <class T>
class Stage;
template <class T>
class DenseStage;

/// What flows from layer to layer while a network is checked. A layer changes it to what leaves the layer, or refuses.
struct Flow {
    std::size_t layer = 0;   ///< 0-based
    ImageShape shape;        ///< a plain vector of n numbers is n × 1 × 1
    bool is_image     = false;
    long long weights = 0;   ///< of all layers so far

    /// @throws Error "Layer 2 of the network: " and the sentence
    [[noreturn]] void refuse(const std::string& sentence) const;
    void require_range(const char* what, long value, long least, long most) const;
    void require_image(const char* what) const;
    /// Refuses what would not fit into memory.
    void add_weights(long long count);
    void become_image(long long channels, long long height, long long width);
    void become_vector(int size) { shape = {size, 1, 1}, is_image = false; }
};

std::string text_of(ImageShape shape);   ///< "1×28×28"

inline constexpr int largest_width         = 1'000'000;    ///< units of a dense layer, filters of a convolution
inline constexpr int largest_side          = 4096;         ///< kernels, strides, paddings, sides of an image
inline constexpr long long largest_image   = 16'777'216;   ///< numbers of one example that leave one layer
inline constexpr long long largest_network = most_weights;

/// The weights of one layer: `units` rows of `per_unit` numbers, and one bias for each row behind them.
struct LayerWeights {
    const char* name = "";   ///< of its blocks, numbered within the kind: "dense 1 weights"
    int per_unit = 0, units = 0;
    int fan_out                                 = 0;    ///< fan-in is per_unit
    std::optional<ConvolutionShape> convolution = {};   ///< the same weights serve at many places
};

/// Where a layer stands in its network.
struct StagePlace {
    ImageShape in, out;        ///< of one example; behind the last layer that needs an image: one plane of one row
    std::size_t number  = 0;   ///< among the stages
    std::size_t weights = 0, biases = 0;   ///< begin of its blocks in the flat vector of weights
};

/// Says what every kind of layer must have; the list in kinds.h checks it. A kind is a value: its hyperparameters, and these.
// clang-format 14 tears such lists apart:
// clang-format off
template <class Kind>
concept LayerKind = requires(const Kind& kind, Flow& flow, const LayerJson& json, LayerWords& words, ImageShape shape) {
    { Kind::syntax } -> std::convertible_to<const char*>;    // for the help: "conv FILTERS KERNEL [stride S] [pad P]"
    { Kind::words } -> std::convertible_to<const char*>;     // first words of its text, divided by commas: "max, average"
    { Kind::json_name } -> std::convertible_to<const char*>; // the member of its JSON by which it is known
    { Kind::needs_image } -> std::convertible_to<bool>;      // refuses a plain vector
    { Kind::has_weights } -> std::convertible_to<bool>;
    { Kind::in_exact_hessian } -> std::convertible_to<bool>; // laplace/dense_hessian.cpp knows its second derivative
    requires std::equality_comparable<Kind>;
    { kind.has_noise() } -> std::same_as<bool>;                                  // the same weights and inputs can give other outputs
    kind.pass(flow);                                                             // output shape and refusals
    { kind.text() } -> std::same_as<std::string>;
    { Kind::from_text(words) } -> std::same_as<std::optional<Kind>>;             // empty: another kind's word
    { kind.json() } -> std::same_as<LayerJsonMembers>;
    { Kind::from_json(json) } -> std::same_as<Kind>;
} && (!Kind::has_weights || requires(const Kind& kind, ImageShape shape) {
    { kind.weights_behind(shape, shape) } -> std::same_as<LayerWeights>;         // from what enters and what leaves
}) && (requires(const Kind& kind, const StagePlace& place) {
    { kind.template stage<float>(place) } -> std::same_as<std::unique_ptr<Stage<float>>>;     // null: passes its input through
    { kind.template stage<double>(place) } -> std::same_as<std::unique_ptr<Stage<double>>>;
} || requires(const Kind& kind, const StagePlace& place) {
    { kind.template dense_stage<float>(place) } -> std::same_as<DenseStage<float>>;           // products over the whole batch
});
// clang-format on

}   // namespace credence
