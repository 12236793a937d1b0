// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/stroke_digits.h"

#include "images/strokes.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace credence;

namespace {

struct MainTabs {
    double x = 0, y = 0;
};

MainTabs centre_of_mass(std::span<const std::uint8_t> image)
{
    double mass = 0, x = 0, y = 0;
    for (std::size_t p = 0; p < image.size(); ++p) {
        mass += image[p];
        x += image[p] * static_cast<double>(p % 28);
        y += image[p] * static_cast<double>(p / 28);
    }
    return {x / mass, y / mass};
}

std::size_t shapes_in(const StrokeSigns& signs)
{
    std::size_t n = 0;
    for (const auto& shapes : signs)
        n += shapes.size();
    return n;
}

std::vector<std::uint8_t> pixels_of(const ImageSet& set, std::size_t i)
{
    return {set.image(i).begin(), set.image(i).end()};
}

/// Share of `test` whose nearest image (sum of squares) in `training` has the same label.
double nearest_neighbour_accuracy(const ImageSet& training, const ImageSet& test)
{
    std::size_t right = 0;
    for (std::size_t i = 0; i < test.n; ++i) {
        int best = std::numeric_limits<int>::max(), label = -1;
        const std::uint8_t* a = test.image(i).data();
        for (std::size_t j = 0; j < training.n; ++j) {
            const std::uint8_t* b = training.image(j).data();
            int distance          = 0;   // through pointers: tests are compiled without optimisation
            for (std::size_t p = 0; p < 784; ++p)
                distance += (a[p] - b[p]) * (a[p] - b[p]);
            if (distance < best)
                best = distance, label = training.labels[j];
        }
        right += label == test.labels[i];
    }
    return static_cast<double>(right) / static_cast<double>(test.n);
}

const StrokeAlphabet both[] = {StrokeAlphabet::digits, StrokeAlphabet::letters};

}   // namespace

TEST(StrokeDigits, AreValidImagesInMnistFormat)
{
    for (const StrokeAlphabet alphabet : both) {
        const ImageSet set = draw_strokes({.alphabet = alphabet, .n = 50});
        EXPECT_NO_THROW(set.check());
        EXPECT_EQ(set.n, 50u);
        EXPECT_EQ(set.channels * 10000 + set.height * 100 + set.width, 12828u);
        EXPECT_EQ(set.n_classes(), 10u);
    }
    EXPECT_EQ(draw_strokes({.n = 1}).class_names.front(), "0");
    EXPECT_EQ(draw_strokes({.alphabet = StrokeAlphabet::letters, .n = 1}).class_names.back(), "J");
}

TEST(StrokeDigits, AreAFunctionOfTheirSeed)
{
    const ImageSet one = draw_strokes({.n = 30, .seed = 1});
    EXPECT_EQ(one, draw_strokes({.n = 30, .seed = 1}));
    EXPECT_NE(one.pixels, draw_strokes({.n = 30, .seed = 2}).pixels);
    EXPECT_NE(one.pixels, draw_strokes({.alphabet = StrokeAlphabet::letters, .n = 30, .seed = 1}).pixels);
}

TEST(StrokeDigits, AreOneSequenceHoweverItIsCut)
{
    const ImageSet all  = draw_strokes({.n = 60});
    const ImageSet part = draw_strokes({.n = 23, .first = 17});
    for (std::size_t i = 0; i < part.n; ++i) {
        EXPECT_EQ(part.labels[i], all.labels[17 + i]);
        EXPECT_EQ(pixels_of(part, i), pixels_of(all, 17 + i));
    }
    const ImageData data = stroke_digits(40, 20);
    EXPECT_NO_THROW(data.check());
    EXPECT_EQ(data.training, draw_strokes({.n = 40}));
    EXPECT_EQ(pixels_of(data.test, 0), pixels_of(all, 40));
}

TEST(StrokeDigits, HaveEachClassOnceInEveryTenInAnotherOrder)
{
    const ImageSet set = draw_strokes({.n = 100});
    std::set<std::vector<int>> orders;
    for (std::size_t ten = 0; ten < 10; ++ten) {
        const auto first = set.labels.begin() + static_cast<std::ptrdiff_t>(10 * ten);
        std::vector<int> order(first, first + 10);
        orders.insert(order);
        std::sort(order.begin(), order.end());
        EXPECT_THAT(order, testing::ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    }
    EXPECT_EQ(orders.size(), 10u);
}

TEST(StrokeDigits, AreWhiteOnBlackInTheMiddle)
{
    for (const StrokeAlphabet alphabet : both) {
        const ImageSet set      = draw_strokes({.alphabet = alphabet, .n = 1000});
        int touching_the_border = 0;
        for (std::size_t i = 0; i < set.n; ++i) {
            const auto image = set.image(i);
            EXPECT_GT(std::count(image.begin(), image.end(), 0), 28 * 28 / 3) << i;
            EXPECT_GT(*std::max_element(image.begin(), image.end()), 150) << i;
            const MainTabs centre = centre_of_mass(image);
            EXPECT_NEAR(centre.x, 13.5, 3) << i;
            EXPECT_NEAR(centre.y, 13.5, 3) << i;
            for (std::size_t k = 0; k < 28; ++k)
                if (image[k] || image[27 * 28 + k] || image[28 * k] || image[28 * k + 27]) {
                    ++touching_the_border;
                    break;
                }
        }
        EXPECT_LT(touching_the_border, 20);
    }
}

TEST(StrokeDigits, WithoutVariationAreTheirShapes)
{
    for (const StrokeAlphabet alphabet : both) {
        const ImageSet set = draw_strokes({.alphabet = alphabet, .n = 2000, .variation = 0});
        std::set<std::vector<std::uint8_t>> different;
        for (std::size_t i = 0; i < set.n; ++i)
            different.insert(pixels_of(set, i));
        EXPECT_EQ(different.size(), shapes_in(alphabet == StrokeAlphabet::digits ? digit_shapes() : letter_shapes()));
    }
}

TEST(StrokeDigits, CanBeClassifiedButNotPerfectly)
{
    const ImageData data  = stroke_digits(1000, 300);
    const double accuracy = nearest_neighbour_accuracy(data.training, data.test);
    EXPECT_GT(accuracy, 0.75);   // by chance 0.1
    EXPECT_LT(accuracy, 0.97);   // MNIST: about 0.88 from as many images
}

TEST(StrokeDigits, RejectNumbersOutOfRange)
{
    EXPECT_EQ(refusal([] { draw_strokes({.n = 0}); }), "data.n | Number of images is 0, expected 1 to 1000000.");
    EXPECT_EQ(refusal([] { draw_strokes({.n = 1000001}); }),
              "data.n | Number of images is 1000001, expected 1 to 1000000.");
    EXPECT_EQ(refusal([] { draw_strokes({.first = 1000000001}); }),
              "data.first | Number of the first image is 1000000001, expected 0 to 1000000000.");
    EXPECT_EQ(refusal([] { draw_strokes({.variation = -1}); }),
              "data.variation | Variation is -1, expected a number from 0 to 2.");
    EXPECT_EQ(refusal([] { draw_strokes({.variation = std::nan("")}); }),
              "data.variation | Variation is nan, expected a number from 0 to 2.");
}

TEST(PenPath, PassesThroughItsPointsAndIsStraightBetweenCorners)
{
    const PenStroke stroke = {{0, 0}, {10, 3}, {20, -4}, {30, 0}};
    const InkLine line     = pen_path(stroke, 8);
    ASSERT_EQ(line.size(), 25u);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_DOUBLE_EQ(line[8 * i].x, stroke[i].x);
        EXPECT_DOUBLE_EQ(line[8 * i].y, stroke[i].y);
    }
    const InkLine angle = pen_path({{0, 0}, {10, 0, true}, {10, 20}}, 8);
    for (std::size_t i = 0; i < angle.size(); ++i) {
        EXPECT_NEAR(angle[i].x, i < 8 ? 1.25 * static_cast<double>(i) : 10, 1e-12);
        EXPECT_NEAR(angle[i].y, i < 8 ? 0 : 2.5 * static_cast<double>(i - 8), 1e-12);
    }
}

TEST(Ink, FillsItsSquareWithTheCentreOfMassInTheMiddle)
{
    std::vector<InkLine> lines = {{{0, 0, 1}, {0, 50, 1}},
                                  {{0, 50, 2}, {10, 50, 2}}};   // mass 100 at (0, 25), 40 at (5, 50)
    fit_ink(lines, 20, 28);
    EXPECT_NEAR(lines[0][1].y - lines[0][0].y, 20, 1e-12);
    EXPECT_NEAR((100 * lines[0][0].x + 40 * (lines[1][0].x + lines[1][1].x) / 2) / 140, 13.5, 1e-12);
    EXPECT_NEAR((100 * (lines[0][0].y + lines[0][1].y) / 2 + 40 * lines[1][0].y) / 140, 13.5, 1e-12);
}

TEST(Ink, BrightnessFollowsTheDistance)
{
    const std::vector<InkLine> lines = {{{-10, 10, 2}, {40, 10, 2}}};
    std::vector<float> out(20 * 24);
    draw_ink(lines, 1.0, 20, 24, out);
    for (std::size_t y = 0; y < 20; ++y) {
        const double d = std::abs(static_cast<double>(y) - 10);
        for (std::size_t x = 0; x < 24; ++x)
            EXPECT_NEAR(out[y * 24 + x], std::clamp((3 - d) / 2, 0.0, 1.0), 1e-6) << x << ", " << y;
    }
    const std::vector<InkLine> dot = {{{5, 5, 1.5}}};
    draw_ink(dot, 0.5, 20, 24, out);
    EXPECT_EQ(out[5 * 24 + 5], 1.0f);
    EXPECT_NEAR(out[6 * 24 + 6], 2 - std::sqrt(2.0), 1e-6);
    EXPECT_EQ(out[5 * 24 + 8], 0.0f);
}
