// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/image_resize.h"

#include "formats/image_folder.h"

#include <gmock/gmock.h>

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
