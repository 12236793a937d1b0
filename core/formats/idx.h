// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_set.h"
#include "data/number_array.h"
#include "formats/byte_source.h"

#include <filesystem>
#include <optional>

namespace credence {

// IDX, the format of MNIST: 00 00 type n_dims, then n_dims sizes, then the numbers, all big-endian. Plain or gzip, whatever the name says.
// Types: 08 uint8, 09 int8, 0B int16, 0C int32, 0D float32, 0E float64. At most 8 dimensions.
// Source: Y. LeCun, C. Cortes, C. Burges, "The MNIST database of handwritten digits", section "File formats".

/// Header and length of the file are compared before anything is allocated.
/// @throws Error "train-images-idx3-ubyte: found a web page (HTML), expected IDX data (00 00, a type and a number of dimensions)."
NumberArray read_idx(ByteSource& source);
NumberArray read_idx(const std::filesystem::path& file);

/// One file of images [n × h × w] or [n × c × h × w] and one of labels [n]. Labels are read and checked first, and nothing is allocated
/// for images that do not fit them.
/// @param class_names  labels are indices into them
ImageSet read_idx_images(ByteSource& images, ByteSource& labels, std::string name,
                         std::vector<std::string> class_names = digit_names());
ImageSet read_idx_images(const std::filesystem::path& images, const std::filesystem::path& labels, std::string name,
                         std::vector<std::string> class_names = digit_names());

/// Which of the four files of MNIST's layout a folder has, and of the two that say which images belong together (train-groups-idx1-int, see ImageSet::groups), in any of the spellings train-images-idx3-ubyte and train-images.idx3-ubyte (idx4 for
/// colour), each with or without .gz; where a file is there twice, the plain one counts.
struct MnistFiles {
    std::optional<std::filesystem::path> training_images, training_labels, test_images, test_labels, training_groups,
        test_groups;
};
MnistFiles mnist_files(const std::filesystem::path& folder);

/// All four of them, with the groups where they are there.
/// @throws Error "mnist: found no training images, expected train-images-idx3-ubyte, train-images.idx3-ubyte or one of them with .gz."
ImageData read_mnist_folder(const std::filesystem::path& folder, std::string name,
                            std::vector<std::string> class_names = digit_names());

}   // namespace credence
