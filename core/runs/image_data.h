// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"

#include <memory>

namespace credence {

/// Returns the images of a Study as networks need them: loaded, selected, split and scaled. Studies
/// with equal data settings share one copy while any of them uses it; the raw bytes are released on
/// return. Can be called from any thread.
/// @param data        of a source of images
/// @param split_seed  of the validation images
/// @throws Error with the wrong field
std::shared_ptr<const SplitData> image_split(const DataSpec& data, std::uint64_t split_seed);

/// Returns the images before scaling: parts swapped, classes and counts selected, and validation
/// images taken from the training part.
ImageData study_images(const DataSpec& data, std::uint64_t split_seed);

}   // namespace credence
