// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/convolution.h"

#include <nlohmann/json_fwd.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace credence {

template <class T>
class Stage;

/// The second derivative of a layer's outputs with respect to its inputs, needed for exact Hessians.
enum class SecondDerivative {
    zero,      ///< wherever it exists: linear, or piecewise linear
    known,     ///< computed by Stage::second_order
    unknown,   ///< the layer has no exact Hessian
};

/// The image that a skip connection saves alongside the current one (layers/skip.h). Both have the
/// same sides.
struct SavedImage {
    int channels = 0;   ///< 0: none is saved
    int step     = 1;   ///< stride of the layer: its output has the saved numbers of every step-th row and column
};

/// The data between two layers while a network is checked. A layer changes it to its output or
/// rejects it.
struct Flow {
    std::size_t layer = 0;   ///< 0-based
    ImageShape shape;        ///< a plain vector of n numbers is n × 1 × 1
    bool is_image     = false;
    long long weights = 0;    ///< of all layers so far
    SavedImage saved  = {};   ///< below the next layer; `step` is that of the layer before

    /// @throws Error "Layer 2 of the network: " followed by the sentence
    [[noreturn]] void refuse(const std::string& sentence) const;
    void require_range(const char* what, long value, long least, long most) const;
    void require_image(const char* what) const;
    /// Rejects a layer between 'save' and 'add' unless its output fits the saved image.
    void require_fit(ImageShape in) const;
    /// Rejects networks that would not fit into memory.
    void add_weights(long long count);
    void become_image(long long channels, long long height, long long width);
    void become_vector(int size) { shape = {size, 1, 1}, is_image = false; }
};

std::string text_of(ImageShape shape);   ///< "1×28×28"

inline constexpr int largest_width       = 1'000'000;    ///< units of a dense layer, filters of a convolution
inline constexpr int largest_side        = 4096;         ///< kernels, strides, paddings, sides of an image
inline constexpr long long largest_image = 16'777'216;   ///< numbers of one example in the output of one layer
/// Weights of a network: several vectors of this length (weights, noise, gradients, optimiser
/// moments) are in memory at once.
inline constexpr std::size_t most_weights  = 50'000'000;
inline constexpr long long largest_network = most_weights;

/// The members of a layer's JSON, its own name first: {"conv": 20, "kernel": 5, "stride": 1,
/// "padding": 0}.
using LayerJsonMembers = std::vector<std::pair<const char*, std::variant<bool, int, double, std::string>>>;

/// Reads a layer's JSON. Members that are missing or have the wrong type raise the errors of
/// nlohmann::json.
class LayerJson {
public:
    LayerJson(const nlohmann::json& json, std::size_t layer) : json_(json), layer_(layer) {}
    bool has(const char* name) const;
    int whole(const char* name) const;
    int whole(const char* name, int if_missing) const;
    double number(const char* name) const;
    std::string word(const char* name) const;
    /// @throws Error "Layer 2 of the network: " and the sentence
    [[noreturn]] void refuse(const std::string& sentence) const;

private:
    const nlohmann::json& json_;
    std::size_t layer_;
};

/// Reads a layer's text, word by word.
class LayerWords {
public:
    LayerWords(std::string_view text, std::size_t layer);
    bool empty() const { return words_.empty(); }
    bool more() const { return next_ < words_.size(); }
    std::string_view word() const { return more() ? words_[next_] : std::string_view{}; }   ///< the next one
    std::string_view take();            ///< returns it and advances to the next word
    bool take(std::string_view word);   ///< only if it is the next word
    /// @param what  "the number of units", for the refusal
    int whole(const char* what);
    double number(const char* what);
    /// @throws Error "Layer 2 of the network: found 'dense many', " and why
    [[noreturn]] void refuse(const std::string& why) const;

private:
    template <class Number>
    Number read(const char* what);

    std::string_view text_;
    std::size_t layer_, next_ = 0;
    std::vector<std::string_view> words_;
};

/// The weights of one layer: `units` rows of `per_unit` numbers, followed by one bias for each row.
struct LayerWeights {
    const char* name = "";   ///< of its blocks, numbered within the kind: "dense 1 weights"
    int per_unit = 0, units = 0;
    int fan_out                                 = 0;    ///< fan-in is per_unit
    std::optional<ConvolutionShape> convolution = {};   ///< if the weights are shared between positions
};

/// The position of a layer in its network.
struct StagePlace {
    ImageShape in, out;        ///< of one example; after the last layer that needs an image: one plane of one row
    std::size_t number  = 0;   ///< index among the stages
    std::size_t weights = 0, biases = 0;   ///< offsets of its blocks in the flat weight vector
    SavedImage saved = {};                 ///< alongside `in`
};

/// The requirements for every layer kind, checked by the list in layer.h. A kind is a value with
/// hyperparameters and the members below.
// clang-format 14 breaks such lists badly:
// clang-format off
template <class Kind>
concept LayerKind = requires(const Kind& kind, Flow& flow, const LayerJson& json, LayerWords& words, ImageShape shape) {
    { Kind::syntax } -> std::convertible_to<const char*>;    // for the help: "conv FILTERS KERNEL [stride S] [pad P]"
    { Kind::words } -> std::convertible_to<const char*>;     // first words of its text: "max, average"
    { Kind::json_name } -> std::convertible_to<const char*>; // the member of its JSON that identifies it
    { Kind::needs_image } -> std::convertible_to<bool>;      // rejects a plain vector
    { Kind::has_weights } -> std::convertible_to<bool>;
    requires std::equality_comparable<Kind>;
    { kind.has_noise() } -> std::same_as<bool>;                                  // outputs are random
    { kind.second_derivative() } -> std::same_as<SecondDerivative>;
    kind.pass(flow);                                                             // output shape and errors
    { kind.text() } -> std::same_as<std::string>;
    { Kind::from_text(words) } -> std::same_as<std::optional<Kind>>;             // empty: another kind
    { kind.json() } -> std::same_as<LayerJsonMembers>;
    { Kind::from_json(json) } -> std::same_as<Kind>;
} && (!Kind::has_weights || requires(const Kind& kind, ImageShape shape) {
    { kind.layer_weights(shape, shape) } -> std::same_as<LayerWeights>;         // from input and output shape
}) && requires(const Kind& kind, const StagePlace& place) {
    { kind.template stage<float>(place) } -> std::same_as<std::unique_ptr<Stage<float>>>;     // null: identity
    { kind.template stage<double>(place) } -> std::same_as<std::unique_ptr<Stage<double>>>;
};
// clang-format on

/// The base of a kind without parameters, weights or noise whose outputs are linear in its inputs: its
/// text and its JSON are one word.
template <class Kind>
struct LinearWord {
    bool operator==(const LinearWord&) const = default;

    static constexpr bool has_weights = false;
    static constexpr bool has_noise() { return false; }
    static constexpr SecondDerivative second_derivative() { return SecondDerivative::zero; }
    static std::string text() { return Kind::words; }
    static std::optional<Kind> from_text(LayerWords& words)
    {
        return words.take(Kind::words) ? std::optional(Kind{}) : std::nullopt;
    }
    static LayerJsonMembers json() { return {{Kind::json_name, true}}; }
    static Kind from_json(const LayerJson&) { return {}; }
};

}   // namespace credence
