// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/kind.h"

namespace credence {

// Skip connections. "save, …, add" is a residual block, y = x + f(x): the saved image x travels
// alongside the values of the layers between as further channels, so that every pass over a network
// carries it. Those layers see their own channels only (pass_saved_through). A layer with a stride leaves
// every stride-th row and column of the saved image: the shortcut without weights of He et al. 2016
// ("option A"), with zeros for channels that f adds.

/// Saves a copy of the image for the next `add`. There is at most one at a time.
struct Save : LinearWord<Save> {
    static constexpr const char *syntax = "save", *words = "save", *json_name = "save";
    static constexpr bool needs_image = true;
    void pass(Flow& flow) const;
    template <class T>
    std::unique_ptr<Stage<T>> stage(const StagePlace& place) const;
};

/// Exchanges the image and the saved one, so that the following layers act on the saved image: a
/// convolution 1×1 makes its channels as many as those of the other.
struct Swap : LinearWord<Swap> {
    static constexpr const char *syntax = "swap", *words = "swap", *json_name = "swap";
    static constexpr bool needs_image = true;
    void pass(Flow& flow) const;
    template <class T>
    std::unique_ptr<Stage<T>> stage(const StagePlace& place) const;
};

/// Adds the saved image; missing channels count as zeros.
struct Add : LinearWord<Add> {
    static constexpr const char *syntax = "add", *words = "add", *json_name = "add";
    static constexpr bool needs_image = true;
    void pass(Flow& flow) const;
    template <class T>
    std::unique_ptr<Stage<T>> stage(const StagePlace& place) const;
};

/// The stage of a layer between `save` and `add`: it sees the first channels, and the saved ones
/// pass by. All its planes have place.saved.channels further channels.
/// @param stage  of the layer alone, with the shapes of `place`
template <class T>
std::unique_ptr<Stage<T>> pass_saved_through(std::unique_ptr<Stage<T>> stage, const StagePlace& place);

}   // namespace credence
