// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/image_folder.h"
#include "foundation/error.h"
#include "images/picture_input.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

using namespace credence;
using testing::Each;
using testing::SizeIs;

namespace {

std::vector<std::uint8_t> some_image(const ImageShape& shape)
{
    std::vector<std::uint8_t> image(static_cast<std::size_t>(shape.size()));
    for (std::size_t i = 0; i < image.size(); ++i)
        image[i] = static_cast<std::uint8_t>(i * 89 % 251);
    return image;
}

double mean(const std::vector<std::uint8_t>& image)
{
    return std::accumulate(image.begin(), image.end(), 0.0) / static_cast<double>(image.size());
}

}   // namespace

TEST(Resized, KeepsAnImageOfTheSameShape)
{
    EXPECT_EQ(resized(some_image({3, 4, 4}), {3, 4, 4}, {3, 4, 4}), some_image({3, 4, 4}));
}

TEST(Resized, AConstantImageStaysConstant)
{
    for (const ImageShape& to : {ImageShape{1, 2, 2}, {3, 7, 5}, {1, 32, 32}, {3, 1, 9}})
        for (const int channels : {1, 3})
            EXPECT_THAT(
                resized(std::vector<std::uint8_t>(static_cast<std::size_t>(channels * 16), 90), {channels, 4, 4}, to),
                testing::AllOf(SizeIs(to.size()), Each(90)));
}

TEST(Resized, ShrinkingByAWholeNumberKeepsTheMean)
{
    for (const int factor : {2, 3, 4, 7}) {
        const ImageShape large{1, 5 * factor, 6 * factor};
        const auto image = some_image(large);
        EXPECT_NEAR(mean(resized(image, large, {1, 5, 6})), mean(image), 0.5) << factor;   // each pixel is rounded
    }
}

TEST(Resized, AFineGridBecomesGreyInsteadOfStripes)
{
    std::vector<std::uint8_t> grid(64 * 64);
    for (std::size_t i = 0; i < grid.size(); ++i)
        grid[i] = i % 2 == 0 ? 0 : 200;
    EXPECT_THAT(resized(grid, {1, 64, 64}, {1, 16, 16}), Each(100));
}

TEST(Resized, IsTheExactMeanOverEachAreaWithHalvesRoundedUpwards)
{
    for (const auto& [from, to] : {std::pair{10, 7}, {40, 28}, {14, 9}, {7, 16}, {6, 4}}) {
        const ImageShape shape{1, from, from};
        const auto image   = some_image(shape);
        const auto smaller = resized(image, shape, {1, to, to});
        for (int y = 0; y < to; ++y)
            for (int x = 0; x < to; ++x) {
                std::uint64_t sum =
                    0;   // each source pixel cut into to × to parts, of which a pixel covers from × from
                for (int v = y * from; v < (y + 1) * from; ++v)
                    for (int u = x * from; u < (x + 1) * from; ++u)
                        sum += image[static_cast<std::size_t>(v / to * from + u / to)];
                const auto n = static_cast<std::uint64_t>(from * from);
                EXPECT_EQ(smaller[static_cast<std::size_t>(y * to + x)], sum / n + (2 * (sum % n) >= n))
                    << from << " to " << to << ", row " << y << ", column " << x;
            }
    }
    EXPECT_THAT(resized(std::vector<std::uint8_t>{0, 1, 2, 3}, {1, 2, 2}, {1, 2, 1}), testing::ElementsAre(1, 3));
}

TEST(Resized, GreyIsExactWhereTheWeightedSumEndsInAHalf)
{
    for (unsigned r = 0; r < 256; r += 5)
        for (unsigned g = 0; g < 256; ++g)
            for (unsigned b = 0; b < 256; b += 7) {
                const std::vector<std::uint8_t> pixel{static_cast<std::uint8_t>(r), static_cast<std::uint8_t>(g),
                                                      static_cast<std::uint8_t>(b)};
                const unsigned sum = 299 * r + 587 * g + 114 * b;
                ASSERT_EQ(resized(pixel, {3, 1, 1}, {1, 1, 1}).front(), sum / 1000 + (sum % 1000 >= 500))
                    << r << ' ' << g << ' ' << b;
            }
}

TEST(Resized, ATrainingPictureAndAnOodPictureBecomeTheSamePixels)
{
    for (const ImageShape& to : {ImageShape{1, 28, 28}, {3, 28, 28}, {1, 40, 40}, {3, 32, 16}})
        for (const ImageShape& from : {ImageShape{3, 32, 32}, {1, 30, 41}, {3, 28, 28}}) {
            const auto n = [](int side) { return static_cast<std::size_t>(side); };
            const DecodedPicture picture{n(from.channels), n(from.height), n(from.width), some_image(from)};
            EXPECT_EQ(scaled(picture, n(to.channels), n(to.height), n(to.width)).pixels,
                      resized(some_image(from), from, to));
        }
}

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::ThrowsMessage;

namespace {

constexpr ImageShape grey_28{1, 28, 28};

/// A square of one brightness in the middle of a picture of another.
std::vector<std::uint8_t> square_on(int height, int width, std::uint8_t ground, std::uint8_t ink)
{
    std::vector<std::uint8_t> out(static_cast<std::size_t>(height) * static_cast<std::size_t>(width), ground);
    for (int y = height / 4; y < 3 * height / 4; ++y)
        for (int x = width / 4; x < 3 * width / 4; ++x)
            out[static_cast<std::size_t>(y * width + x)] = ink;
    return out;
}

}   // namespace

TEST(PictureInput, BrightnessIsThatOfTheBorder)
{
    EXPECT_EQ(border_brightness(square_on(12, 16, 230, 10), {1, 12, 16}), 230);
    std::vector<std::uint8_t> colours(3 * 4);   // 2 × 2: red 100, green 50, blue 200
    std::fill_n(colours.begin(), 4, std::uint8_t{100});
    std::fill_n(colours.begin() + 4, 4, std::uint8_t{50});
    std::fill_n(colours.begin() + 8, 4, std::uint8_t{200});
    EXPECT_NEAR(border_brightness(colours, {3, 2, 2}), 0.299 * 100 + 0.587 * 50 + 0.114 * 200, 1e-9);
}

TEST(PictureInput, ABackgroundIsUniformIfItsMiddleHalfIsInTheDarkestOrLightestQuarter)
{
    EXPECT_EQ(shared_ground({0, 0, 0, 0, 200}), 0);   // one outlier does not matter
    EXPECT_EQ(shared_ground({255, 250, 245, 255, 240, 10}), 245);
    EXPECT_EQ(shared_ground({0, 80, 120, 200, 255}), std::nullopt);
    EXPECT_EQ(shared_ground({63, 63, 63}), 63);
    EXPECT_EQ(shared_ground({64, 64, 64}), std::nullopt);
    EXPECT_EQ(shared_ground({}), std::nullopt);
}

TEST(PictureInput, DarkOnLightBecomesLightOnDarkLikeTheTrainingImages)
{
    const auto dark_on_light = square_on(28, 28, 255, 0), light_on_dark = square_on(28, 28, 0, 255);
    const auto made = prepared_picture(dark_on_light, grey_28, grey_28, 0.0);
    EXPECT_TRUE(made.inverted);
    EXPECT_FALSE(made.widened);
    EXPECT_EQ(made.border, 255);
    EXPECT_THAT(made.pixels, ElementsAreArray(light_on_dark));
    const auto same = prepared_picture(light_on_dark, grey_28, grey_28, 0.0);
    EXPECT_FALSE(same.inverted);
    EXPECT_THAT(same.pixels, ElementsAreArray(light_on_dark));
    EXPECT_TRUE(prepared_picture(light_on_dark, grey_28, grey_28, 255.0).inverted) << "and vice versa";
    EXPECT_FALSE(prepared_picture(dark_on_light, grey_28, grey_28, {}).inverted) << "no uniform background";
    EXPECT_FALSE(prepared_picture(dark_on_light, grey_28, grey_28, 0.0, false).inverted) << "as asked for";
    EXPECT_TRUE(prepared_picture(light_on_dark, grey_28, grey_28, 0.0, true).inverted);
    EXPECT_THAT(inverted(inverted(dark_on_light)), ElementsAreArray(dark_on_light));
}

TEST(PictureInput, IsResampledWithTheSharedFilter)
{
    std::vector<std::uint8_t> colours(3 * 56 * 56);
    for (std::size_t i = 0; i < colours.size(); ++i)
        colours[i] = static_cast<std::uint8_t>(i * 7919 % 251);
    const ImageShape from{3, 56, 56};
    EXPECT_THAT(prepared_picture(colours, from, grey_28, {}).pixels, ElementsAreArray(resized(colours, from, grey_28)));
    EXPECT_THAT(prepared_picture(colours, from, {3, 20, 30}, {}).pixels,
                ElementsAreArray(resized(colours, from, {3, 20, 30})))
        << "stretched, like imported pictures, without a background to fill with";
}

TEST(PictureInput, OfOtherProportionsKeepsThemOnItsOwnBackground)
{
    const std::vector<std::uint8_t> tall = [] {
        std::vector<std::uint8_t> out(40 * 10, 20);   // 40 × 10, a bar from top to bottom
        for (std::size_t y = 5; y < 35; ++y)
            for (std::size_t x = 2; x < 8; ++x)
                out[y * 10 + x] = 240;
        return out;
    }();
    const auto made = prepared_picture(tall, {1, 40, 10}, {1, 20, 20}, 0.0);
    EXPECT_TRUE(made.widened);
    EXPECT_FALSE(made.inverted);
    const auto narrow = resized(tall, {1, 40, 10}, {1, 20, 5});
    for (std::size_t y = 0; y < 20; ++y) {
        const auto row = made.pixels.begin() + static_cast<std::ptrdiff_t>(20 * y);
        EXPECT_THAT(std::vector<std::uint8_t>(row, row + 7), Each(20)) << y;
        EXPECT_THAT(std::vector<std::uint8_t>(row + 12, row + 20), Each(20)) << y;
        EXPECT_TRUE(std::equal(row + 7, row + 12, narrow.begin() + static_cast<std::ptrdiff_t>(5 * y))) << y;
    }
    // A line of a thousand pixels needs no more memory than the result.
    const std::vector<std::uint8_t> line(100000, 9);
    EXPECT_THAT(prepared_picture(line, {1, 1, 100000}, grey_28, 0.0).pixels, Each(9));
    // In colour the strips have the colour of the border.
    const std::vector<std::uint8_t> two_pixels{1, 1, 2, 2, 3, 3};
    EXPECT_THAT(prepared_picture(two_pixels, {3, 1, 2}, {3, 2, 2}, 0.0).pixels,
                ElementsAre(1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3));
}

TEST(PictureInput, RejectsAnEmptyPicture)
{
    EXPECT_THAT(
        [] {
        prepared_picture({}, {1, 0, 0}, grey_28, {});
        },
        ThrowsMessage<Error>("found an empty image, expected at least one pixel."));
    const std::vector<std::uint8_t> five(5);
    EXPECT_THAT(
        [&] {
        prepared_picture(five, {1, 2, 3}, grey_28, {});
        },
        ThrowsMessage<Error>("found 5 numbers, expected 6, one for each pixel and colour."));
}
