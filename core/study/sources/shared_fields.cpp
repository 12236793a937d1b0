// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/sources/shared_fields.h"

#include "data/image_subsets.h"
#include "study/field_makers.h"

#include <set>

namespace credence {

using namespace field_makers;

namespace {

std::vector<Option<PixelScaling>> scalings()
{
    return {
        {PixelScaling::divide_256,
         {"divide_256", "Pixel / 256", "As Caffe's LeNet and so the papers of Posch and Steinbrener."}},
        {PixelScaling::divide_255, {"divide_255", "Pixel / 255", "0 to 1, as most other programs."}},
        {PixelScaling::divide_126, {"divide_126", "Pixel / 126", "0 to 2.02, as Blundell et al. 2015 for their MLPs."}},
    };
}

}   // namespace

Field seed_field()
{
    return plain(
        {.path  = "data.seed",
         .label = "Data seed",
         .help =
             "Names the random numbers of the generator. Another seed is another sample from the same problem; it shows how much of a picture is chance.",
         .min      = 0,
         .max      = 9007199254740991.0,
         .advanced = true},
        [](auto& s) -> auto& { return s.data.toy.seed; });
}

Field only_classes_field()
{
    return plain(
        {.path  = "data.only_classes",
         .label = "Only classes",
         .help =
             "Numbers of the classes that are kept, in training and test, counted from 0 and divided by commas; empty keeps all. Training on 0, 1, 2 and looking at the "
             "other digits shows what the net says of what it never saw (Hobbhahn 2020, Fig. 5.1).",
         .min = 0,
         .max = 99999},
        [](auto& s) -> auto& { return s.data.images.only_classes; });
}

Field validation_images_field()
{
    return plain(
        {.path  = "data.validation_images",
         .label = "Validation images",
         .unit  = "images",
         .help =
             "So many training images, at random by the split's seed, are kept from training for choosing settings (Blundell et al. 2015: 10,000 of MNIST's 60,000). All "
             "pages and the curves of the errors then show these; the test images are scored at the end alone, beside them. Of data that know which images belong together "
             "(frames of one track of GTSRB) whole tracks are kept. 0: none, all pages show the test images.",
         .min      = 0,
         .max      = 1e7,
         .advanced = true},
        [](auto& s) -> auto& { return s.data.images.validation_images; });
}

Field pixels_field()
{
    return choice(
        {.path     = "data.pixels",
         .label    = "Pixels",
         .help     = "What the net sees of a pixel 0 to 255. Nothing else is done to the images.",
         .advanced = true},
        [](auto& s) -> auto& { return s.data.images.pixels; }, scalings());
}

void require_classes(const DataSpec& data)
{
    const auto& classes = data.images.only_classes;
    if (classes.size() == 1)
        throw Error("data.only_classes", "data.only_classes names 1 class, expected at least 2, or none for all.");
    if (std::set<int>(classes.begin(), classes.end()).size() != classes.size())
        throw Error("data.only_classes", "data.only_classes names a class twice, expected different classes.");
}

ImageData with_only_classes(ImageData parts, const DataSpec& data)
{
    const auto& classes = data.images.only_classes;
    if (classes.empty())
        return parts;
    return in_field("data.only_classes", [&] { return chosen(std::move(parts), {.classes = classes}); });
}

}   // namespace credence
