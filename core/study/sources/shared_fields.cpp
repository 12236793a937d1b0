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
         {"divide_256", "Pixel / 256",
          "As Caffe's LeNet, whose recipe Posch and Steinbrener follow; they do not print it."}},
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

Field drawn_training_images_field()
{
    return plain(
        {.path  = "data.training_images",
         .label = "Training images",
         .unit  = "images",
         .help =
             "How many are drawn for training; as many in a row as there are classes are one of each. 10,000 digits take under a second, 10,000 traffic signs a few. Fewer make a harder "
             "problem and a wider posterior.",
         .min = 20,
         .max = 200000},
        [](auto& s) -> auto& { return s.data.images.training_images; });
}

Field drawn_test_images_field()
{
    return plain(
        {.path  = "data.test_images",
         .label = "Test images",
         .unit  = "images",
         .help =
             "How many more are drawn for the scores. A standard error of an error rate near 2 % is 0.3 % with 2,000.",
         .min = 10,
         .max = 200000},
        [](auto& s) -> auto& { return s.data.images.test_images; });
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
         .help     = "What the net sees of a pixel 0 to 255, before the steps below, if there are any.",
         .advanced = true},
        [](auto& s) -> auto& { return s.data.images.pixels; }, scalings());
}

Field grey_field()
{
    return plain(
        {.path  = "data.grey",
         .label = "Grey",
         .help =
             "The net sees 0.299 red + 0.587 green + 0.114 blue of each pixel: a third of the numbers, and nothing to learn from colour. Pictures, drawn and disturbed images and "
             "attacks stay those of the image itself, in its colours. Grey images stay as they are."},
        [](auto& s) -> auto& { return s.data.images.grey; });
}

Field local_normalisation_field()
{
    return plain(
        {.path  = "data.local_normalisation",
         .label = "Local normalisation",
         .unit  = "pixels",
         .help =
             "Side of the window, an odd number of pixels; 0: none. Each pixel less the mean of the window around it, divided by its standard deviation, each colour by itself: "
             "what is left is the pattern, whether the picture was dark, pale or in half shadow. y = (x − m)/√(v + c²), windows cut off at the border, c = 2 % of the step from black to white, so that noise on flat areas "
             "is not blown up. 9 suits signs of 32×32. The numbers then have a mean near 0 and a standard deviation a little below 1, so that no further standardisation is needed. The net alone sees it: pictures, disturbances and attacks (their strength, "
             "and the cut at black and white) are those of the image itself.",
         .min = 0,
         .max = 255},
        [](auto& s) -> auto& { return s.data.images.local_normalisation; });
}

void require_steps(const DataSpec& data)
{
    const int window = data.images.local_normalisation;
    if (window != 0 && (window < 3 || window % 2 == 0))
        throw Error("data.local_normalisation", "data.local_normalisation is " + std::to_string(window)
                                                    + ", expected 0 or an odd number of pixels from 3 to 255.");
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
