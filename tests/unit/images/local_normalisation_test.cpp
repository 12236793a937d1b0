// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/image_transforms.h"

#include "unit/random_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace credence {
namespace {

struct WindowPlane {
    int height, width;
};

/// Calls body(j) for every pixel of the window around pixel i.
template <class Body>
void for_window(WindowPlane plane, int size, int i, Body body)
{
    const int row = i / plane.width, column = i % plane.width;
    for (int r = std::max(0, row - size / 2); r <= std::min(plane.height - 1, row + size / 2); ++r)
        for (int c = std::max(0, column - size / 2); c <= std::min(plane.width - 1, column + size / 2); ++c)
            body(static_cast<std::size_t>(r * plane.width + c));
}

const WindowPlane window_planes[] = {{7, 9}, {1, 12}, {12, 1}, {3, 3}, {32, 32}};

std::size_t plane_pixels(WindowPlane plane) { return static_cast<std::size_t>(plane.height * plane.width); }

TEST(LocalNormalisation, SumsOverWindowsAreThoseOfEachWindow)
{
    for (const WindowPlane plane : window_planes)
        for (const int size : {1, 3, 5, 9, 101}) {
            const auto x = normals(plane_pixels(plane), 3);
            std::vector<double> sums(x.size());
            window_sums(x, plane.height, plane.width, size, sums);
            const auto counts = window_counts(plane.height, plane.width, size);
            for (std::size_t i = 0; i < x.size(); ++i) {
                double sum = 0, count = 0;
                for_window(plane, size, static_cast<int>(i), [&](std::size_t j) { sum += x[j], ++count; });
                ASSERT_NEAR(sums[i], sum, 1e-11) << plane.height << "×" << plane.width << ", " << size << ", " << i;
                ASSERT_EQ(counts[i], count);
            }
            std::vector<double> in_place = x;
            window_sums(in_place, plane.height, plane.width, size, in_place);
            EXPECT_EQ(in_place, sums);
        }
}

TEST(LocalNormalisation, IsTheFormulaWrittenOut)
{
    constexpr double floor = 0.05;
    for (const WindowPlane plane : window_planes)
        for (const int size : {3, 9}) {
            const auto x = normals(plane_pixels(plane), 5, 0.3);
            std::vector<double> y(x.size());
            LocalNormalisation(plane.height, plane.width, size, floor).values(x.data(), y.data());
            for (std::size_t i = 0; i < x.size(); ++i) {
                double n = 0, mean = 0, variance = 0;
                const auto at = static_cast<int>(i);
                for_window(plane, size, at, [&](std::size_t j) { mean += x[j], ++n; });
                mean /= n;
                for_window(plane, size, at, [&](std::size_t j) { variance += (x[j] - mean) * (x[j] - mean) / n; });
                ASSERT_NEAR(y[i], (x[i] - mean) / std::sqrt(variance + floor * floor), 1e-9) << i;
            }
        }
}

TEST(LocalNormalisation, LeavesNothingOfAConstantImageAndLittleOfFaintNoise)
{
    const std::vector<double> constant(100, 0.7);
    std::vector<double> y(100);
    LocalNormalisation local(10, 10, 9, 0.02);
    local.values(constant.data(), y.data());
    for (const double value : y)
        EXPECT_NEAR(value, 0, 1e-6);
    auto faint = normals(100, 8, 0.001);
    for (double& x : faint)
        x += 0.7;
    local.values(faint.data(), y.data());
    EXPECT_LT(*std::max_element(y.begin(), y.end()), 0.3);
}

TEST(LocalNormalisation, FindsTheSamePatternInADarkAndInAPaleImage)
{
    const auto x = normals(16 * 16, 2, 0.2);
    std::vector<double> dark(x.size()), y(x.size()), of_dark(x.size());
    std::transform(x.begin(), x.end(), dark.begin(), [](double value) { return 0.1 + 0.25 * value; });
    LocalNormalisation local(16, 16, 5, 1e-4);
    local.values(x.data(), y.data());
    local.values(dark.data(), of_dark.data());
    for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_NEAR(of_dark[i], y[i], 1e-3) << i;
}

TEST(LocalNormalisation, InFloatIsTheRoundedOneInDouble)
{
    const auto x = normals(32 * 32, 4, 0.3);
    const std::vector<float> narrow(x.begin(), x.end());
    const std::vector<double> same(narrow.begin(), narrow.end());
    std::vector<float> y(x.size());
    std::vector<double> exact(x.size());
    LocalNormalisation local(32, 32, 9, 0.02);
    local.values(narrow.data(), y.data());
    local.values(same.data(), exact.data());
    for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_FLOAT_EQ(y[i], static_cast<float>(exact[i])) << i;
}

}   // namespace
}   // namespace credence
