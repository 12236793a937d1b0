// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/number_array.h"
#include "data/split.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace credence {

/// Labelled images of one size as bytes, a quarter of the size of floats.
struct ImageSet {
    std::string name;
    std::size_t n        = 0;
    std::size_t channels = 0;   ///< 1 grey, 3 red, green, blue
    std::size_t height   = 0;
    std::size_t width    = 0;
    std::vector<std::uint8_t> pixels;       ///< [n × channels × height × width]
    std::vector<int> labels;                ///< [n], 0..K-1
    std::vector<std::string> class_names;   ///< [K]
    /// [n], or empty: each image is its own group. Images of one group show the same object, as
    /// frames of one track do, and are never divided between training and validation.
    std::vector<std::uint32_t> groups = {};

    std::size_t n_classes() const { return class_names.size(); }
    std::size_t n_pixels() const { return channels * height * width; }   ///< values of one image
    std::span<const std::uint8_t> image(std::size_t i) const { return {pixels.data() + i * n_pixels(), n_pixels()}; }
    void check() const;   ///< @throws Error if sizes and labels are inconsistent
    bool operator==(const ImageSet&) const = default;
};

/// A downloaded data set: two parts of one kind. A Study can hold out a third from training.
struct ImageData {
    ImageSet training, test;
    ImageSet validation = {};   ///< n = 0: none
    void check() const;         ///< @throws Error if a part is invalid or they differ in image size
                                ///< or classes
};

/// The network's input value of a pixel 0..255.
enum class PixelScaling {
    divide_256,      ///< [0, 1), as Caffe's LeNet: for the networks of Posch and Pilz 2021 and Steinbrener et al. 2020
    divide_255,      ///< [0, 1], as in most other programs
    divide_126,      ///< [0, 2.02], as in Blundell et al. 2015 for their MLPs
    subtract_mean,   ///< minus the mean image of the training part, not divided, as Caffe's network for CIFAR-10
};
double divisor_of(PixelScaling scaling);

/// The mean image [n_pixels]: exact sums of bytes, divided once.
std::vector<double> mean_image(const ImageSet& images);

/// The data for training, with the scaled pixels in training_inputs and test_inputs only. Validation
/// images, if any, replace the test part, and the test images become the final test. The data sets
/// have names, labels and sizes but no inputs, since the inputs in original units are the bytes of
/// `data`. The standardiser converts between them: its mean is 0 or the mean image of the training
/// part, its sd the divisor.
SplitData to_split(const ImageData& data, PixelScaling scaling);

/// "0" to "9"
std::vector<std::string> digit_names();

// For file readers. Each throws an error about `file`.

/// Labels [n] of any integer type. @throws Error "labels.idx: label 17 is 12, expected 0 to 9."
std::vector<int> checked_labels(const std::string& file, const NumberArray& labels, std::size_t n_classes);
/// Requires bytes of shape [n × h × w], [n × c × h × w] or [n × h × w × c], c = 1 or 3, n =
/// n_labels.
void require_image_shape(const std::string& file, const NumberArray::Values& type,
                         const std::vector<std::size_t>& shape, std::size_t n_labels);
/// Takes ownership of the bytes without copying (trailing channels are moved to the front in place,
/// image by image).
ImageSet make_image_set(std::string name, NumberArray images, std::vector<int> labels,
                        std::vector<std::string> class_names);

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
