// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/sources/shared_fields.h"

#include "data/image_set.h"
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
          "As in Caffe's LeNet, whose recipe Posch and Steinbrener follow without stating it."}},
        {PixelScaling::divide_255, {"divide_255", "Pixel / 255", "0 to 1, as in most other programs."}},
        {PixelScaling::divide_126, {"divide_126", "Pixel / 126", "0 to 2.02, as in the MLPs of Blundell et al. 2015."}},
        {PixelScaling::subtract_mean,
         {"subtract_mean", "Pixel − mean image",
          "The mean image of the training images is subtracted, without division: −255 to 255, as in Caffe's network "
          "for CIFAR-10 (Posch and Pilz 2021, section IV-B)."}},
    };
}

}   // namespace

Field seed_field()
{
    return plain(
        {.path  = "data.seed",
         .label = "Data seed",
         .help = "Seed of the generator. Another seed gives another sample of the same problem and shows how much of a "
                 "figure is due to chance.",
         .min  = 0,
         .max  = 9007199254740991.0,
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
             "Number of training images drawn. Consecutive groups contain one image of each class. 10,000 digits take "
             "under a second, 10,000 traffic signs a few seconds. Fewer images make a harder problem and a wider "
             "posterior.",
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
             "Number of additional images drawn for the scores. With 2,000, the standard error of an error rate near "
             "2 % is 0.3 %.",
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
             "Numbers of the classes used for training and testing, counted from 0 and separated by commas; empty uses "
             "all. Train on 0, 1, 2 and view the other digits to see predictions for classes that the network has "
             "never seen (Hobbhahn 2020, Fig. 5.1).",
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
             "Number of training images set aside for choosing settings, at random by the split seed (Blundell et al. "
             "2015: 10,000 of MNIST's 60,000). All views and error curves then use these; the test images are scored "
             "only once, at the end. If images are known to belong together (frames of one track in GTSRB), whole "
             "tracks are set aside. 0: none, all views use the test images.",
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
         .help     = "How a pixel from 0 to 255 is scaled for the network, before the steps below.",
         .advanced = true},
        [](auto& s) -> auto& { return s.data.images.pixels; }, scalings());
}

Field grey_field()
{
    return plain(
        {.path  = "data.grey",
         .label = "Grey",
         .help  = "The network sees 0.299 red + 0.587 green + 0.114 blue of each pixel: a third of the numbers, and no "
                  "colour to learn from. Displayed, drawn and perturbed images and attacks still use the original "
                  "colour image. Grey images are unchanged."},
        [](auto& s) -> auto& { return s.data.images.grey; });
}

Field local_normalisation_field()
{
    return plain(
        {.path  = "data.local_normalisation",
         .label = "Local normalisation",
         .unit  = "pixels",
         .help =
             "Side of the window, an odd number of pixels; 0: none. From each pixel the mean of the window around it "
             "is subtracted, and the result is divided by the window's standard deviation, for each colour separately. "
             "This preserves the pattern, whether the image is dark, pale or half in shadow. y = (x − m)/√(v + c²), "
             "windows clipped at the border, c = 2 % of the range from black to white, so that noise in flat areas is "
             "not amplified. 9 suits signs of 32×32. The values then have a mean near 0 and a standard deviation "
             "slightly below 1, so no further standardisation is needed. Only the network sees the result: displayed "
             "images, perturbations and attacks (their strength, and the limits at black and white) use the original "
             "image.",
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
