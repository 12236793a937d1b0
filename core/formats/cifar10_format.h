// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_set.h"
#include "formats/byte_source.h"

#include <filesystem>

namespace credence {

// CIFAR-10's binary format: records of 3073 bytes, a label 0..9 and the red, green and blue planes
// of 32×32 pixels, row by row.
// Source: A. Krizhevsky, "Learning multiple layers of features from tiny images", 2009, and the
// page of the data set.

/// airplane, automobile, bird, cat, deer, dog, frog, horse, ship, truck
std::vector<std::string> cifar10_names();

/// All records of some files in sequence. Lengths and labels are checked before anything is
/// allocated. Plain or gzip.
/// @throws Error "data_batch_1.bin: found 5000 bytes, expected a multiple of 3073 (a label and 3 ×
/// 32 × 32 pixels)."
ImageSet read_cifar10(std::span<const std::filesystem::path> files, std::string name = "CIFAR-10");
ImageSet read_cifar10(std::span<ByteSource* const> files, std::string name = "CIFAR-10");

/// data_batch_1.bin to data_batch_5.bin and test_batch.bin, in the folder itself or in its
/// subfolder cifar-10-batches-bin.
ImageData read_cifar10_folder(const std::filesystem::path& folder);

}   // namespace credence
