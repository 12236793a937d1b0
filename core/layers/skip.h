// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/kind.h"

namespace credence {

// Skip connections. "save, …, add" is a residual block, y = x + f(x): the saved image x travels
// alongside the values of the layers between as further channels, so that every pass over a network
// carries it. Those layers see their own channels only (beside_saved). A layer with a stride leaves
// every stride-th row and column of the saved image: the shortcut without weights of He et al. 2016
// ("option A"), with zeros for channels that f adds.

/// Saves a copy of the image for the next `add`. There is at most one at a time.
struct Save {
    bool operator==(const Save&) const = default;

    static constexpr const char* syntax    = "save";
    static constexpr const char* words     = "save";
    static constexpr const char* json_name = "save";
    static constexpr bool needs_image = true, has_weights = false;

    static constexpr bool has_noise() { return false; }
    static constexpr SecondDerivative second_derivative() { return SecondDerivative::zero; }
    void pass(Flow& flow) const;
    std::string text() const { return syntax; }
    static std::optional<Save> from_text(LayerWords& words)
    {
        return words.take(syntax) ? std::optional(Save{}) : std::nullopt;
    }
    LayerJsonMembers json() const { return {{json_name, true}}; }
    static Save from_json(const LayerJson&) { return {}; }
    template <class T>
    std::unique_ptr<Stage<T>> stage(const StagePlace& place) const;
};

/// Exchanges the image and the saved one, so that the following layers act on the saved image: a
/// convolution 1×1 makes its channels as many as those of the other.
struct Swap {
    bool operator==(const Swap&) const = default;

    static constexpr const char* syntax    = "swap";
    static constexpr const char* words     = "swap";
    static constexpr const char* json_name = "swap";
    static constexpr bool needs_image = true, has_weights = false;

    static constexpr bool has_noise() { return false; }
    static constexpr SecondDerivative second_derivative() { return SecondDerivative::zero; }
    void pass(Flow& flow) const;
    std::string text() const { return syntax; }
    static std::optional<Swap> from_text(LayerWords& words)
    {
        return words.take(syntax) ? std::optional(Swap{}) : std::nullopt;
    }
    LayerJsonMembers json() const { return {{json_name, true}}; }
    static Swap from_json(const LayerJson&) { return {}; }
    template <class T>
    std::unique_ptr<Stage<T>> stage(const StagePlace& place) const;
};

/// Adds the saved image; missing channels count as zeros.
struct Add {
    bool operator==(const Add&) const = default;

    static constexpr const char* syntax    = "add";
    static constexpr const char* words     = "add";
    static constexpr const char* json_name = "add";
    static constexpr bool needs_image = true, has_weights = false;

    static constexpr bool has_noise() { return false; }
    static constexpr SecondDerivative second_derivative() { return SecondDerivative::zero; }
    void pass(Flow& flow) const;
    std::string text() const { return syntax; }
    static std::optional<Add> from_text(LayerWords& words)
    {
        return words.take(syntax) ? std::optional(Add{}) : std::nullopt;
    }
    LayerJsonMembers json() const { return {{json_name, true}}; }
    static Add from_json(const LayerJson&) { return {}; }
    template <class T>
    std::unique_ptr<Stage<T>> stage(const StagePlace& place) const;
};

/// The stage of a layer between `save` and `add`: it sees the first channels, and the saved ones
/// pass by. All its planes have place.saved.channels further channels.
/// @param stage  of the layer alone, with the shapes of `place`
template <class T>
std::unique_ptr<Stage<T>> beside_saved(std::unique_ptr<Stage<T>> stage, const StagePlace& place);

}   // namespace credence
