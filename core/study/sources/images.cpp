// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/image_set.h"
#include "sources/image_sources.h"
#include "study/field_makers.h"
#include "study/sources/shared_fields.h"

#include <algorithm>

namespace credence {

using namespace field_makers;

namespace {

std::vector<Field> images_fields()
{
    return {
        plain(
            {.path  = "data.set",
             .label = "Data set",
             .help =
                 "The name of an installed data set (mnist, fashion-mnist, one that you imported, stroke-digits), or "
                 "the path of a folder with files in the format of MNIST or CIFAR-10, of GTSRB's folder, or of an .npz "
                 "file with x_train, y_train, x_test and y_test. “credence data fetch mnist” downloads MNIST."},
            [](auto& s) -> auto& { return s.data.images.set; }),
        only_classes_field(),
        plain(
            {.path  = "data.per_class",
             .label = "Training images per class",
             .unit  = "images",
             .help =
                 "Number of training images used per class, from the start of the set; 0 uses all. With a few dozen, "
                 "the posterior stays wide.",
             .min = 0,
             .max = 1e7},
            [](auto& s) -> auto& { return s.data.images.per_class; }),
        plain(
            {.path     = "data.first_images",
             .label    = "First images",
             .unit     = "images",
             .help     = "Number of training images used, from the start of the set; 0 uses all.",
             .min      = 0,
             .max      = 1e7,
             .advanced = true},
            [](auto& s) -> auto& { return s.data.images.first_images; }),
        plain(
            {.path  = "data.exchanged",
             .label = "Swap training and test",
             .help =
                 "Trains on the test part and scores the training part: with MNIST, 10,000 training images and 60,000 "
                 "test images (Steinbrener et al. 2020, Table 2)."},
            [](auto& s) -> auto& { return s.data.images.exchanged; }),
        validation_images_field(),
        pixels_field(),
        grey_field(),
        local_normalisation_field()};
}

void require_set(const DataSpec& data)
{
    if (data.images.set.empty())
        throw Error("data.set", "data.set is empty, expected the name of a data set, for example mnist, or a path.");
    require_classes(data);
    require_steps(data);
}

ImageData loaded(const ImageSpec& images)
{
    ImageData data = load_image_data(images.set);
    if (data.training.n == 0)
        throw Error(
            "data.set",
            data.test.name
                + " has test images only, expected training images as well: it can serve as prediction.other_data.");
    return data;
}

ImageData chosen_images(const DataSpec& data)
{
    const ImageSpec& images = data.images;
    ImageData parts         = loaded(images);
    if (images.exchanged) {
        parts = exchanged(std::move(parts));
        parts.training.name += ", exchanged";
        parts.test.name += ", exchanged";
    }
    parts = with_only_classes(std::move(parts), data);
    if (images.per_class > 0)
        parts = in_field("data.per_class", [&] {
            return chosen(std::move(parts), {.per_class = static_cast<std::size_t>(images.per_class)});
        });
    if (images.first_images > 0)
        parts = in_field("data.first_images", [&] {
            return chosen(std::move(parts), {.first = static_cast<std::size_t>(images.first_images)});
        });
    return parts;
}

std::string title_of_set(const DataSpec& data)
{
    const auto set = find_image_source(data.images.set);
    return set ? set->title : std::filesystem::path(data.images.set).stem().string();
}

std::filesystem::path place_of_set(const DataSpec& data)
{
    const auto set = find_image_source(data.images.set);
    return set ? set->folder : std::filesystem::path(data.images.set);
}

std::vector<std::string> relatives_of_set(const DataSpec& data)
{
    const std::string own = std::filesystem::path(data.images.set).filename().string();
    std::vector<std::string> out;
    for (const auto& relatives : {std::vector<std::string>{"mnist", "fashion-mnist", "notmnist", "kmnist"},
                                  {"cifar-10", "svhn", "cifar-100"}}) {
        if (std::find(relatives.begin(), relatives.end(), own) == relatives.end())
            continue;
        for (const auto& other : relatives)
            if (other != own && find_image_source(other))
                out.push_back(other);
    }
    return out;
}

}   // namespace

/// An image data set: from the catalogue, imported, or files at a path.
Source images_source()
{
    return {.id            = "images",
            .title         = "Data set of images",
            .hint          = "MNIST and similar sets, CIFAR-10, or images that you imported.",
            .fields        = images_fields(),
            .name          = title_of_set,
            .check         = require_set,
            .load_images   = chosen_images,
            .place         = place_of_set,
            .require_files = [](const DataSpec& data) { require_image_set(data.images.set); },
            .relatives     = relatives_of_set};
}

}   // namespace credence
