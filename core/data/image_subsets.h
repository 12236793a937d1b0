// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_set.h"

#include <optional>

namespace credence {

// Subsets of image sets; each function leaves its argument unchanged. Errors name the set.

/// The images with indices `rows`, in that order.
ImageSet subset(const ImageSet& all, std::span<const std::uint32_t> rows);
/// @throws Error "MNIST has 10000 images, expected at least 20000."
ImageSet first_images(const ImageSet& all, std::size_t n);
/// The first n of each class, in the order of the data. @throws Error "MNIST has 892 images of
/// class 5, expected at least 1000."
ImageSet images_per_class(const ImageSet& all, std::size_t n);
/// The images of these classes (indices, at least two, all different); class j of the result is
/// classes[j].
ImageSet only_classes(const ImageSet& all, std::span<const int> classes);

/// Training on the test images and testing on the training images, as Steinbrener et al. 2020 do
/// with MNIST.
ImageData exchanged(ImageData data);

struct ValidationSplit {
    ImageSet training, validation;
};
/// Holds out `n` random images for validation; both parts keep the order of the data. Depends only
/// on the seed. A set with groups is divided by whole groups, added while they fit into n: the
/// result can be slightly smaller than n.
/// @throws Error if no image would be left for training, or the smallest group is larger than n
ValidationSplit split_validation(const ImageSet& all, std::size_t n, std::uint64_t seed);

/// All choices at once: exchange the parts, select classes in both parts, limit the training
/// images. Testing always uses all images.
struct ImageChoice {
    bool exchanged                            = false;
    std::vector<int> classes                  = {};   ///< empty: all
    std::optional<std::size_t> per_class      = {};
    std::optional<std::size_t> first          = {};
    bool operator==(const ImageChoice&) const = default;
};
ImageData chosen(ImageData data, const ImageChoice& choice);

}   // namespace credence
