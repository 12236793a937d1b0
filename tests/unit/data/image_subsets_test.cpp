// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/image_subsets.h"

#include "unit/formats/bytes.h"
#include "unit/formats/refusal.h"

#include <gmock/gmock.h>

#include <algorithm>

using namespace credence;
using testing::ElementsAre;

namespace {

/// Images of one pixel that is their number.
ImageSet numbered(const std::vector<int>& labels)
{
    ImageSet set;
    set.name        = "Numbers";
    set.n           = labels.size();
    set.channels    = 1;
    set.height      = 1;
    set.width       = 1;
    set.pixels      = counting(labels.size());
    set.labels      = labels;
    set.class_names = {"a", "b", "c", "d"};
    return set;
}

const ImageSet eight = numbered({0, 1, 2, 3, 3, 2, 1, 1});

}   // namespace

TEST(ImageSubset, HasTheListedImages)
{
    const std::vector<std::uint32_t> rows = {5, 0, 5};
    const ImageSet part                   = subset(eight, rows);
    EXPECT_NO_THROW(part.check());
    EXPECT_THAT(part.pixels, ElementsAre(5, 0, 5));
    EXPECT_THAT(part.labels, ElementsAre(2, 0, 2));
    EXPECT_EQ(part.class_names, eight.class_names);
}

TEST(ImageSubset, OfTheFirstImagesKeepsTheirOrder)
{
    EXPECT_THAT(first_images(eight, 3).pixels, ElementsAre(0, 1, 2));
    EXPECT_EQ(first_images(eight, 8), eight);
    EXPECT_EQ(refusal([] { first_images(eight, 9); }), "Numbers has 8 images, expected at least 9.");
    EXPECT_EQ(refusal([] { first_images(eight, 0); }),
              "Numbers: found 0 as the number of images, expected at least 1.");
}

TEST(ImageSubset, OfSomeImagesPerClassUsesTheFirstOfEach)
{
    EXPECT_THAT(images_per_class(eight, 1).pixels, ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(images_per_class(numbered({0, 1, 1, 1, 0, 2, 3, 2, 2, 3}), 2).pixels,
                ElementsAre(0, 1, 2, 4, 5, 6, 7, 9));
    EXPECT_EQ(refusal([] { images_per_class(eight, 2); }), "Numbers has 1 images of class a, expected at least 2.");
    EXPECT_EQ(refusal([] { images_per_class(eight, 0); }),
              "Numbers: found 0 as the number of images per class, expected at least 1.");
}

TEST(ImageSubset, OfSelectedClassesRenumbersThem)
{
    const std::vector<int> classes = {3, 1};
    const ImageSet part            = only_classes(eight, classes);
    EXPECT_NO_THROW(part.check());
    EXPECT_THAT(part.pixels, ElementsAre(1, 3, 4, 6, 7));
    EXPECT_THAT(part.labels, ElementsAre(1, 0, 0, 1, 1));
    EXPECT_THAT(part.class_names, ElementsAre("d", "b"));
    const std::vector<int> all = {0, 1, 2, 3};
    EXPECT_EQ(only_classes(eight, all), eight);
}

TEST(ImageSubset, RejectsClassesThatCannotBeChosen)
{
    const auto choose = [](const ImageSet& set, std::vector<int> classes) {
        return refusal([&] { only_classes(set, classes); });
    };
    EXPECT_EQ(choose(eight, {0, 4}), "Numbers: class 4 was selected, expected 0 to 3.");
    EXPECT_EQ(choose(eight, {0, -1}), "Numbers: class -1 was selected, expected 0 to 3.");
    EXPECT_EQ(choose(eight, {2, 0, 2}), "Numbers: class 2 was selected twice, expected different classes.");
    EXPECT_EQ(choose(eight, {1}), "Numbers: 1 classes were selected, expected at least 2.");
    EXPECT_EQ(choose(numbered({0, 0, 3}), {1, 2}),
              "Numbers has no images of the selected classes, expected at least 1.");
}

TEST(ImageSubset, SwappedTwiceIsTheOriginal)
{
    const ImageData data{eight, first_images(eight, 2)};
    EXPECT_EQ(exchanged(data).training, data.test);
    EXPECT_EQ(exchanged(data).test, data.training);
    EXPECT_EQ(exchanged(exchanged(data)).training, data.training);
}

TEST(ValidationSplit, DividesTheImagesBySeed)
{
    const ImageSet all          = numbered(std::vector<int>(200, 1));
    const ValidationSplit parts = split_validation(all, 50, 7);
    EXPECT_EQ(parts.training.n, 150u);
    EXPECT_EQ(parts.validation.n, 50u);
    EXPECT_TRUE(std::ranges::is_sorted(parts.training.pixels));
    EXPECT_TRUE(std::ranges::is_sorted(parts.validation.pixels));
    Bytes together = parts.training.pixels + parts.validation.pixels;
    std::ranges::sort(together);
    EXPECT_EQ(together, all.pixels);
    EXPECT_EQ(split_validation(all, 50, 7).validation, parts.validation);
    EXPECT_NE(split_validation(all, 50, 8).validation.pixels, parts.validation.pixels);
    EXPECT_EQ(split_validation(all, 0, 7).training, all);
    EXPECT_EQ(refusal([&] { split_validation(all, 200, 7); }),
              "Numbers has 200 images, expected more than the 200 for validation.");
}

TEST(ValidationSplit, KeepsGroupsTogether)
{
    ImageSet all = numbered(std::vector<int>(200, 1));
    for (std::uint32_t i = 0; i < 200; ++i)
        all.groups.push_back(i / 8);   // 25 groups of 8
    const ValidationSplit parts = split_validation(all, 50, 7);
    EXPECT_EQ(parts.validation.n, 48u);   // six whole groups
    EXPECT_EQ(parts.training.n, 152u);
    EXPECT_NO_THROW(parts.validation.check());
    for (const std::uint32_t group : parts.validation.groups)
        EXPECT_EQ(std::ranges::count(parts.training.groups, group), 0) << group;
    Bytes together = parts.training.pixels + parts.validation.pixels;
    std::ranges::sort(together);
    EXPECT_EQ(together, all.pixels);
    EXPECT_EQ(split_validation(all, 50, 7).validation, parts.validation);
    EXPECT_NE(split_validation(all, 50, 8).validation.groups, parts.validation.groups);
    EXPECT_EQ(split_validation(all, 0, 7).training, all);
    EXPECT_EQ(
        refusal([&] { split_validation(all, 7, 7); }),
        "Numbers has groups of images that belong together, but none of at most 7 images; expected more images for validation.");
}

TEST(ImageChoice, WithoutChoicesLeavesTheDataUnchanged)
{
    const ImageData data{eight, first_images(eight, 6)};
    EXPECT_EQ(chosen(data, {}).training, data.training);
    EXPECT_EQ(chosen(data, {}).test, data.test);
}

TEST(ImageChoice, SwapsThenSelectsClassesThenLimitsTheCount)
{
    const ImageData data{numbered({0, 0, 1, 2}), eight};
    const ImageData some = chosen(data, {.exchanged = true, .classes = {1, 2}, .per_class = 2, .first = 3});
    EXPECT_THAT(some.training.pixels, ElementsAre(1, 2, 5));
    EXPECT_THAT(some.training.labels, ElementsAre(0, 1, 1));
    EXPECT_THAT(some.test.pixels, ElementsAre(2, 3));
    EXPECT_NO_THROW(some.check());
}
