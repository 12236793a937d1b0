// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/convolution.h"

#include "foundation/aligned_vector.h"
#include "unit/random_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace credence {
namespace {

ConvolutionShape shape_of(int channels, int height, int width, int filters)
{
    return {{channels, height, width}, {filters, height - 4, width - 4}, 5, 1, 0};
}

/// Outputs of some images, and Σ |w x| + |bias| of each, by the definition.
struct Direct {
    std::vector<double> z, size;
};
template <class T>
Direct direct(const ConvolutionShape& s, const std::vector<T>& weights, const std::vector<T>& biases,
              const std::vector<T>& x, int images)
{
    Direct d;
    for (int b = 0; b < images; ++b)
        for (int f = 0; f < s.out.channels; ++f)
            for (int y = 0; y < s.out.height; ++y)
                for (int k = 0; k < s.out.width; ++k) {
                    double z    = static_cast<double>(biases[static_cast<std::size_t>(f)]);
                    double size = std::abs(z);
                    for (int c = 0; c < s.in.channels; ++c)
                        for (int i = 0; i < 5; ++i)
                            for (int j = 0; j < 5; ++j) {
                                const auto w =
                                    weights[static_cast<std::size_t>(((f * s.in.channels + c) * 5 + i) * 5 + j)];
                                const auto v      = x[static_cast<std::size_t>(
                                    ((b * s.in.channels + c) * s.in.height + y + i) * s.in.width + k + j)];
                                const double term = static_cast<double>(w) * static_cast<double>(v);
                                z += term;
                                size += std::abs(term);
                            }
                    d.z.push_back(z);
                    d.size.push_back(size);
                }
    return d;
}

template <class T>
std::vector<T> cast(const std::vector<double>& v)
{
    return {v.begin(), v.end()};
}

/// The largest error as a multiple of eps Σ |w x|.
template <class T>
double largest_error(const ConvolutionShape& s, int images)
{
    const auto weights = cast<T>(normals(static_cast<std::size_t>(s.out.channels * s.patch()), 1));
    const auto biases  = cast<T>(normals(static_cast<std::size_t>(s.out.channels), 2));
    const auto x       = cast<T>(normals(static_cast<std::size_t>(images * s.in.size()), 3));
    const MinimalFiltering<T> filtering(s);
    const T unwritten = std::numeric_limits<T>::quiet_NaN();
    std::vector<T> z(static_cast<std::size_t>(images * s.out.size()), unwritten);
    aligned_vector<T> inputs(filtering.inputs_size(), unwritten), scratch(filtering.scratch_size(), unwritten);
    for (int b = 0; b < images; ++b) {
        filtering.transform(image_by_image(x.data(), s.in), b, inputs.data(), scratch.data());
        filtering.run(weights.data(), biases.data(), inputs.data(), image_by_image(z.data(), s.out), b, scratch.data());
    }
    const Direct want = direct(s, weights, biases, x, images);
    double largest    = 0;
    for (std::size_t i = 0; i < z.size(); ++i) {
        const double error = std::abs(static_cast<double>(z[i]) - want.z[i]);
        largest            = std::isfinite(error) ? std::max(largest, error / want.size[i]) : error;
    }
    return largest / static_cast<double>(std::numeric_limits<T>::epsilon());
}

TEST(MinimalFiltering, IsTheConvolution)
{
    for (const ConvolutionShape& s :
         {shape_of(20, 12, 12, 50), shape_of(1, 28, 28, 20), shape_of(3, 32, 32, 8), shape_of(2, 8, 8, 9),
          shape_of(7, 14, 13, 25), shape_of(1, 7, 11, 30), shape_of(4, 9, 40, 13), shape_of(5, 5, 8, 17)}) {
        SCOPED_TRACE(std::to_string(s.in.channels) + " channels of " + std::to_string(s.in.height) + " x "
                     + std::to_string(s.in.width));
        EXPECT_LT(largest_error<float>(s, 3), 30);
        EXPECT_LT(largest_error<double>(s, 2), 30);
    }
}

TEST(MinimalFiltering, IsUsedWhereItSavesMoreThanItCosts)
{
    EXPECT_TRUE(MinimalFiltering<float>::pays(shape_of(20, 12, 12, 50)));
    EXPECT_TRUE(MinimalFiltering<float>::pays(shape_of(1, 28, 28, 20)));
    EXPECT_FALSE(MinimalFiltering<float>::pays(shape_of(20, 8, 8, 50)));    // one vector either way
    EXPECT_FALSE(MinimalFiltering<float>::pays(shape_of(20, 12, 12, 4)));   // transforms of inputs for few filters
    EXPECT_FALSE(MinimalFiltering<float>::pays(shape_of(20, 60, 5, 50)));   // three of four outputs beyond the border
    EXPECT_FALSE(MinimalFiltering<float>::pays({{1, 28, 28}, {20, 26, 26}, 3, 1, 0}));
    EXPECT_FALSE(MinimalFiltering<float>::pays({{1, 28, 28}, {20, 12, 12}, 5, 2, 0}));
    EXPECT_FALSE(MinimalFiltering<float>::pays({{1, 28, 28}, {20, 28, 28}, 5, 1, 2}));
}

TEST(MinimalFiltering, ShiftsAnImageByAKernelOfZerosAndAOne)
{
    const ConvolutionShape s = shape_of(1, 12, 12, 8);
    std::vector<float> weights(200), biases(8), x(144), z(512);
    for (std::size_t f = 0; f < 8; ++f)
        weights[25 * f + 3 * f] = 1;
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = static_cast<float>(i % 32) / 32;
    const MinimalFiltering<float> filtering(s);
    aligned_vector<float> inputs(filtering.inputs_size()), scratch(filtering.scratch_size());
    filtering.transform(image_by_image<const float>(x.data(), s.in), 0, inputs.data(), scratch.data());
    filtering.run(weights.data(), biases.data(), inputs.data(), image_by_image(z.data(), s.out), 0, scratch.data());
    for (std::size_t f = 0; f < 8; ++f)
        for (std::size_t y = 0; y < 8; ++y)
            for (std::size_t k = 0; k < 8; ++k)
                EXPECT_NEAR(z[(f * 8 + y) * 8 + k], x[(y + 3 * f / 5) * 12 + k + 3 * f % 5], 1e-5f);
}

}   // namespace
}   // namespace credence
