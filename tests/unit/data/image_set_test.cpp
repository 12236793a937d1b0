// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/image_set.h"
#include "unit/formats/bytes.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>

using namespace credence;
using testing::ElementsAre;

namespace {

ImageSet small_set(std::size_t channels = 1)
{
    ImageSet set;
    set.name        = "Small";
    set.n           = 4;
    set.channels    = channels;
    set.height      = 2;
    set.width       = 3;
    set.pixels      = counting(4 * channels * 6);
    set.labels      = {0, 1, 2, 0};
    set.class_names = {"a", "b", "c"};
    return set;
}

std::string check_after(const std::function<void(ImageSet&)>& spoil)
{
    ImageSet set = small_set();
    spoil(set);
    return refusal([&] { set.check(); });
}

}   // namespace

TEST(ImageSet, RejectsInconsistentSizes)
{
    EXPECT_EQ(check_after([](ImageSet&) {}), "");
    EXPECT_EQ(check_after([](ImageSet& s) { s.n = 0; }), "Small: found no images, expected at least 1.");
    EXPECT_EQ(check_after([](ImageSet& s) { s.channels = 2; }),
              "Small: images of 2 × 2 × 3, expected 1 or 3 channels and at least one row and column.");
    EXPECT_EQ(check_after([](ImageSet& s) { s.pixels.pop_back(); }), "Small: found 23 pixels, expected 24.");
    EXPECT_EQ(check_after([](ImageSet& s) { s.labels.pop_back(); }), "Small: found 3 labels, expected 4.");
    EXPECT_EQ(check_after([](ImageSet& s) { s.class_names = {"a"}; }),
              "Small: found 1 class names, expected at least 2.");
    EXPECT_EQ(check_after([](ImageSet& s) { s.labels[2] = 3; }), "Small: label 3 is 3, expected 0 to 2.");
    ImageData data{small_set(), small_set()};
    data.test.class_names[0] = "z";
    EXPECT_EQ(refusal([&] { data.check(); }), "Small: test images have different classes from the training images.");
}

TEST(PixelScaling, DividesByTheNumberThatItsNameStates)
{
    const std::pair<PixelScaling, double> all[] = {
        {PixelScaling::divide_256, 256}, {PixelScaling::divide_255, 255}, {PixelScaling::divide_126, 126}};
    for (const auto& [scaling, divisor] : all) {
        const auto inputs = to_split({small_set(), small_set()}, scaling).training_inputs;
        ASSERT_EQ(inputs.size(), 24u);
        for (std::size_t i = 0; i < inputs.size(); ++i)   // the pixels count from 0
            EXPECT_EQ(inputs[i], static_cast<float>(static_cast<double>(i) / divisor)) << divisor;
    }
}

TEST(PixelScaling, SubtractsTheMeanImageOfTheTrainingPartFromAllParts)
{
    ImageData data{small_set(), small_set(), small_set()};
    data.training.pixels = {0, 255, 3, 7, 1, 0, 0, 255, 4, 9, 0, 0, 0, 255, 6, 200, 0, 0, 1, 255, 4, 201, 0, 1};
    std::reverse(data.test.pixels.begin(), data.test.pixels.end());
    const SplitData parts = to_split(data, PixelScaling::subtract_mean);
    // numpy: pixels.reshape(4, 6).mean(axis=0)
    const std::vector<double> mean{0.25, 255, 4.25, 104.25, 0.25, 0.25};
    EXPECT_EQ(mean_image(data.training), mean);
    EXPECT_EQ(parts.inputs.mean, mean);
    EXPECT_EQ(parts.inputs.sd, std::vector<double>(6, 1.0));
    const auto expect_centred = [&](const ImageSet& images, const aligned_vector<float>& inputs) {
        std::vector<float> bytes(images.pixels.begin(), images.pixels.end());
        for (std::size_t i = 0; i < bytes.size(); ++i)
            EXPECT_EQ(inputs[i], static_cast<float>(static_cast<double>(bytes[i]) - mean[i % 6]));
        parts.inputs.apply(bytes);   // pictures, other data sets and attacks take this way
        EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), inputs.begin(), inputs.end()));
    };
    expect_centred(data.training, parts.training_inputs);
    expect_centred(data.validation, parts.test_inputs);
    expect_centred(data.test, parts.final_test_inputs);
}

TEST(ImageSet, BecomesATableWithANameForEachPixel)
{
    const SplitData parts = to_split({small_set(), small_set()}, PixelScaling::divide_256);
    const Dataset& table  = parts.training;
    EXPECT_EQ(table.name, "Small");
    EXPECT_EQ(table.labels, small_set().labels);
    EXPECT_THAT(table.feature_names, ElementsAre("r1 c1", "r1 c2", "r1 c3", "r2 c1", "r2 c2", "r2 c3"));
    EXPECT_EQ(parts.training_inputs[2 * 6 + 1], 13.0f / 256);
    const Dataset colours = to_split({small_set(3), small_set(3)}, PixelScaling::divide_256).training;
    EXPECT_EQ(colours.feature_names[0], "red r1 c1");
    EXPECT_EQ(colours.feature_names[17], "blue r2 c3");
}

TEST(ImageSet, BecomesASplitWhoseStandardiserLeadsFromBytesToInputs)
{
    ImageData data{small_set(), small_set()};
    std::reverse(data.test.pixels.begin(), data.test.pixels.end());
    const SplitData parts = to_split(data, PixelScaling::divide_126);
    std::vector<float> bytes(data.test.pixels.begin(), data.test.pixels.end());
    parts.inputs.apply(bytes);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        EXPECT_FLOAT_EQ(bytes[i], parts.test_inputs[i]);
    EXPECT_EQ(parts.training.labels, data.training.labels);
    EXPECT_EQ(parts.test.n_rows, 4u);
    EXPECT_TRUE(parts.training.inputs.empty());
}

TEST(ImageSet, MovesTrailingChannelsToTheFront)
{
    NumberArray last{{2, 2, 4, 3}, counting(48)};
    const ImageSet set = make_image_set("Colours", last, {0, 1}, {"a", "b"});
    EXPECT_EQ(set.channels, 3u);
    EXPECT_EQ(set.height, 2u);
    EXPECT_EQ(set.width, 4u);
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t c = 0; c < 3; ++c)
            for (std::size_t p = 0; p < 8; ++p)
                EXPECT_EQ(set.image(i)[c * 8 + p], 24 * i + 3 * p + c);
    NumberArray first{{2, 3, 2, 4}, counting(48)};
    EXPECT_EQ(make_image_set("Colours", first, {0, 1}, {"a", "b"}).pixels, counting(48));
}

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
    EXPECT_EQ(refusal([&] { split_validation(all, 7, 7); }),
              "Numbers has groups of images that belong together, but none of at most 7 images; expected more images "
              "for validation.");
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
