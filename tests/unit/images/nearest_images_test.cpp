// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/image_transforms.h"

#include "foundation/error.h"
#include "foundation/parallel.h"
#include "random/noise.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

using namespace credence;
using testing::ThrowsMessage;

namespace {

std::vector<float> table(std::size_t n, std::size_t d)
{
    std::vector<float> out(n * d);
    uniforms({7, Stream::data, 1}, 0, std::span<float>(out));
    return out;
}

}   // namespace

TEST(NearestImages, AreThoseOfTheNaiveSearch)
{
    const std::size_t n = 3000, d = 37;
    const auto images = table(n, d);
    const std::vector<float> wanted(d, 0.4f);
    std::vector<NearImage> all;
    for (std::size_t i = 0; i < n; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < d; ++j)
            sum += std::pow(static_cast<double>(images[i * d + j]) - wanted[j], 2);
        all.push_back({i, std::sqrt(sum)});
    }
    std::sort(all.begin(), all.end(), [](const NearImage& a, const NearImage& b) { return a.distance < b.distance; });
    const auto found = nearest_images(images, wanted, 12);
    ASSERT_EQ(found.size(), 12U);
    for (std::size_t i = 0; i < 12; ++i) {
        EXPECT_EQ(found[i].index, all[i].index);
        EXPECT_NEAR(found[i].distance, all[i].distance, 1e-5);
    }
}

TEST(NearestImages, OfAnImageOfTheSetBeginWithItselfAtDistanceZero)
{
    const auto images = table(2000, 16);
    const auto found  = nearest_images(images, std::span(images).subspan(1234 * 16, 16), 3);
    EXPECT_EQ(found.front(), (NearImage{1234, 0}));
    EXPECT_GT(found[1].distance, 0);
}

TEST(NearestImages, AmongEqualsHaveTheLowestIndicesFirst)
{
    const std::vector<float> images(1500 * 4, 1.0f), wanted(4, 3.0f);
    const auto found = nearest_images(images, wanted, 5);
    ASSERT_EQ(found.size(), 5U);
    for (std::size_t i = 0; i < 5; ++i)
        EXPECT_EQ(found[i], (NearImage{i, 4}));
}

TEST(NearestImages, AreTheSameForAnyNumberOfThreads)
{
    const auto images = table(5000, 20);
    const std::vector<float> wanted(20, 0.5f);
    std::vector<NearImage> first;
    for (const int count : {1, 2, 7}) {
        Threads threads(count);
        std::vector<NearImage> found;
        threads.run([&] { found = nearest_images(images, wanted, 9); });
        if (count == 1)
            first = found;
        EXPECT_EQ(found, first) << count;
    }
}

TEST(NearestImages, AreAllIfThereAreFewerAndNoneIfNoneAreWanted)
{
    const auto images = table(3, 5);
    const std::vector<float> wanted(5, 0.0f);
    EXPECT_EQ(nearest_images(images, wanted, 10).size(), 3U);
    EXPECT_TRUE(nearest_images(images, wanted, 0).empty());
    EXPECT_TRUE(nearest_images({}, wanted, 4).empty());
}

TEST(NearestImages, StopOnRequest)
{
    std::stop_source source;
    source.request_stop();
    EXPECT_TRUE(nearest_images(table(600, 5), std::vector<float>(5), 2, source.get_token()).empty());
}

TEST(NearestImages, RejectAnImageOfAnotherSize)
{
    EXPECT_THAT([] { nearest_images(std::vector<float>(10), std::vector<float>(3), 2); },
                ThrowsMessage<Error>(
                    "Nearest images: an image of 3 numbers cannot be compared with images of 10 numbers together."));
}
