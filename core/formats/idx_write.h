// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_set.h"

#include <filesystem>
#include <string>

namespace credence {

/// The contents of dataset.json next to the images of a set.
struct ImageSetDescription {
    std::string title, about, license;
};

/// An IDX file of bytes: 00 00 08 n_dims, the sizes, the numbers. Written completely or not at all.
void write_idx(const std::filesystem::path& file, std::span<const std::size_t> shape,
               std::span<const std::uint8_t> numbers);
/// The same with four bytes per number: 00 00 0C n_dims.
void write_idx(const std::filesystem::path& file, std::span<const std::size_t> shape,
               std::span<const std::int32_t> numbers);

/// Writes a folder in MNIST's layout that load_image_data can read: train-images-idx3-ubyte [n × h
/// × w] (idx4 [n × 3 × h × w] for colour), train-labels-idx1-ubyte and, for a set with groups,
/// train-groups-idx1-int; the same with t10k, and dataset.json with description and classes. A part
/// without images is left out. The folder must not exist; it is created completely or not at all.
/// @throws Error if it exists, cannot be written, or the data are invalid (labels must fit a byte)
void write_image_folder(const std::filesystem::path& folder, const ImageData& data,
                        const ImageSetDescription& description);

}   // namespace credence
