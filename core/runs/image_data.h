// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"

#include <memory>

namespace credence {

/// The images of a Study as networks want them: loaded, chosen from, divided and scaled. Studies with equal settings of their data share one copy as
/// long as any of them is held; the bytes are gone when this returns. May be called from any thread.
/// @param data        of a source of images
/// @param split_seed  of the validation images
/// @throws Error with the field that is wrong
std::shared_ptr<const SplitData> image_split(const DataSpec& data, std::uint64_t split_seed);

/// The images before they are scaled: parts exchanged, classes and counts chosen, and validation images taken from the training part.
ImageData study_images(const DataSpec& data, std::uint64_t split_seed);

}   // namespace credence
