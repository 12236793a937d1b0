// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_set.h"
#include "data/number_array.h"
#include "formats/byte_source.h"

#include <filesystem>
#include <optional>
#include <string>

namespace credence {

// IDX, the format of MNIST: 00 00 type n_dims, then n_dims sizes, then the numbers, all big-endian.
// Plain or gzip, regardless of the name.
// Types: 08 uint8, 09 int8, 0B int16, 0C int32, 0D float32, 0E float64. At most 8 dimensions.
// Source: Y. LeCun, C. Cortes, C. Burges, "The MNIST database of handwritten digits", section "File
// formats".

/// The header is checked against the length of the file before anything is allocated.
/// @throws Error "train-images-idx3-ubyte: found a web page (HTML), expected IDX data (00 00, a
/// type and a number of dimensions)."
NumberArray read_idx(ByteSource& source);
NumberArray read_idx(const std::filesystem::path& file);

/// One file of images [n × h × w] or [n × c × h × w] and one of labels [n]. Labels are read and
/// checked first; nothing is allocated for images that do not match them.
/// @param class_names  labels are indices into them
ImageSet read_idx_images(ByteSource& images, ByteSource& labels, std::string name,
                         std::vector<std::string> class_names = digit_names());
ImageSet read_idx_images(const std::filesystem::path& images, const std::filesystem::path& labels, std::string name,
                         std::vector<std::string> class_names = digit_names());

/// The files of MNIST's layout that a folder has, including the two with image groups
/// (train-groups-idx1-int, see ImageSet::groups), in both spellings train-images-idx3-ubyte and
/// train-images.idx3-ubyte (idx4 for colour), each with or without .gz; a plain file takes
/// precedence.
struct MnistFiles {
    std::optional<std::filesystem::path> training_images, training_labels, test_images, test_labels, training_groups,
        test_groups;
};
MnistFiles mnist_files(const std::filesystem::path& folder);

/// All four of them, with the groups if they exist.
/// @throws Error "mnist: found no training images, expected train-images-idx3-ubyte,
/// train-images.idx3-ubyte or one of them with .gz."
ImageData read_mnist_folder(const std::filesystem::path& folder, std::string name,
                            std::vector<std::string> class_names = digit_names());

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
