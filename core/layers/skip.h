// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/kind.h"

namespace credence {

// Skip connections. "save, …, add" is a residual block, y = x + f(x). The saved image x is passed
// along as additional channels, so that every pass over a network includes it. The layers between
// `save` and `add` see only their own channels (pass_saved_through). After a layer with a stride,
// the saved image keeps every stride-th row and column: the shortcut without weights of He et al.
// 2016 ("option A"), with zeros for channels that f adds.

/// Saves a copy of the image for the next `add`. There is at most one at a time.
struct Save : LinearWord<Save> {
    static constexpr const char *syntax = "save", *words = "save", *json_name = "save";
    static constexpr bool needs_image = true;
    void pass(Flow& flow) const;
    template <class T>
    std::unique_ptr<Stage<T>> stage(const StagePlace& place) const;
};

/// Exchanges the image and the saved one, so that the following layers act on the saved image. A
/// 1×1 convolution can then match its number of channels to that of the other image.
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

/// Makes the stage of a layer between `save` and `add`: it processes the first channels and copies
/// the saved ones. All its planes have place.saved.channels additional channels.
/// @param stage  of the layer alone, with the shapes of `place`
template <class T>
std::unique_ptr<Stage<T>> pass_saved_through(std::unique_ptr<Stage<T>> stage, const StagePlace& place);

}   // namespace credence
