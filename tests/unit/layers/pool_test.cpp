// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/pool.h"
#include "unit/layers/layer_properties.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace credence {
namespace {

struct Windows {
    const char* name;
    PoolingShape shape;
};
class EveryPooling : public testing::TestWithParam<Windows> {};

/// NaN at each place of the plane in turn: exactly the windows over it become NaN.
template <class T>
void expect_nan_in_its_windows(const PoolingShape& s)
{
    for (int at = 0; at < s.in.size(); ++at) {
        std::vector<T> x, y(static_cast<std::size_t>(s.out.size()));
        for (int i = 0; i < s.in.size(); ++i)
            x.push_back(static_cast<T>((5 * i) % 7 - 3));
        x[at] = std::numeric_limits<T>::quiet_NaN();
        std::vector<PlaceInWindow> place(y.size());
        pool_forward<T>(s, image_by_image<const T>(x.data(), s.in), 1, image_by_image(y.data(), s.out), place.data());
        const int row = at / s.in.width, column = at % s.in.width;
        for (int r = 0; r < s.out.height; ++r)
            for (int c = 0; c < s.out.width; ++c) {
                const int down = row - r * s.pool.stride, right = column - c * s.pool.stride;
                const bool over = down >= 0 && down < s.pool.kernel && right >= 0 && right < s.pool.kernel;
                EXPECT_EQ(std::isnan(y[r * s.out.width + c]), over)
                    << "window " << r << ", " << c << " with NaN at " << row << ", " << column;
            }
    }
}

TEST_P(EveryPooling, GivesNaNForAWindowWithNaN)
{
    expect_nan_in_its_windows<float>(GetParam().shape);
    expect_nan_in_its_windows<double>(GetParam().shape);
}

TEST_P(EveryPooling, ObeysTheLayerContract) { expect_properties(GetParam().shape.pool, GetParam().shape.in); }

TEST(PoolLayer, ReportsInvalidInput)
{
    EXPECT_EQ(refusal_of(Pool{}, {784, 1, 1}, false),
              "Layer 2 of the network: pooling needs an image, found a plain vector of 784 numbers.");
    EXPECT_EQ(refusal_of(Pool{Pool::Kind::maximum, 40, 1}, {1, 28, 28}),
              "Layer 2 of the network: the window 40×40 is larger than the image 1×28×28.");
}

constexpr Pool::Kind maximum = Pool::Kind::maximum, average = Pool::Kind::average;
INSTANTIATE_TEST_SUITE_P(
    All, EveryPooling,
    testing::Values(Windows{"MaximumOfPairs", {{1, 4, 62}, {1, 2, 31}, {maximum, 2, 2}}},   // vectors of 16, 8, 4 and 1
                    Windows{"MaximumOfClippedWindows", {{1, 6, 8}, {1, 3, 4}, {maximum, 3, 2}}},
                    Windows{"AverageOfPairs", {{1, 4, 10}, {1, 2, 5}, {average, 2, 2}}},
                    Windows{"AverageOfClippedWindows", {{1, 6, 8}, {1, 3, 4}, {average, 3, 2}}}),
    [](const auto& info) { return std::string(info.param.name); });

}   // namespace
}   // namespace credence
