// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_set.h"

#include <optional>

namespace credence {

// Parts of image sets; each function leaves its argument as it is. Errors name the set.

/// The images named by `rows`, in that order.
ImageSet subset(const ImageSet& all, std::span<const std::uint32_t> rows);
/// @throws Error "MNIST has 10000 images, expected at least 20000."
ImageSet first_images(const ImageSet& all, std::size_t n);
/// The first n of each class, in the order of the data. @throws Error "MNIST has 892 images of class 5, expected at least 1000."
ImageSet images_per_class(const ImageSet& all, std::size_t n);
/// The images of these classes (indices, at least two, all different); class j of the result is classes[j].
ImageSet only_classes(const ImageSet& all, std::span<const int> classes);

/// Training on the test images and testing on the training images, as S does with MNIST.
ImageData exchanged(ImageData data);

struct ValidationSplit {
    ImageSet training, validation;
};
/// `n` images at random for validation, the others for training; each part keeps the order of the data. A function of the seed. Of a set with groups these are whole groups,
/// drawn as long as they fit into n: a few less than n where none fits exactly.
/// @throws Error if no image would be left for training, or the smallest group drawn is larger than n
ValidationSplit split_validation(const ImageSet& all, std::size_t n, std::uint64_t seed);

/// All choices at once: parts exchanged, then classes chosen in both parts, then training images counted out. Testing is always on all.
struct ImageChoice {
    bool exchanged                            = false;
    std::vector<int> classes                  = {};   ///< empty: all
    std::optional<std::size_t> per_class      = {};
    std::optional<std::size_t> first          = {};
    bool operator==(const ImageChoice&) const = default;
};
ImageData chosen(ImageData data, const ImageChoice& choice);

}   // namespace credence
