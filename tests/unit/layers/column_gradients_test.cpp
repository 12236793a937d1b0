// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/column_gradients.h"
#include "unit/random_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace credence {
namespace {

constexpr int n_columns = 9;   // neither one vector of columns nor whole quadruples

/// The numbers of some images in the column layout of ColumnGradients.
struct Columns {
    explicit Columns(ImageShape shape, int columns = n_columns) : shape(shape), columns(columns)
    {
        const auto numbers = normals(
            static_cast<std::size_t>(shape.channels
                                     * padded_row<double>(std::ptrdiff_t{columns} * shape.height * shape.width))
                + 64,
            3);
        values.assign(numbers.begin(), numbers.end());
    }
    Planes<double> planes() { return channels_as_rows(values.data(), shape, columns); }

    ImageShape shape;
    int columns;
    aligned_vector<double> values;
};

/// Every entry is in `planes` at its position and filter, entries are sorted, and all other values are 0.
void expect_entries_of(const ColumnGradients<double>::NonZeros& entries, Planes<const double> planes, ImageShape shape,
                       int columns)
{
    ASSERT_EQ(entries.begin.size(), static_cast<std::size_t>(shape.height * shape.width) + 1);
    EXPECT_EQ(entries.begin.front(), 0);
    for (int place = 0; place < shape.height * shape.width; ++place) {
        int entry = entries.begin[place];
        for (int f = 0; f < shape.channels; ++f) {
            bool zero = true;
            for (int c = 0; c < columns; ++c)
                zero = zero && planes.plane(f, c)[place] == 0;
            if (zero)
                continue;
            ASSERT_LT(entry, entries.begin[place + 1]) << "place " << place;
            EXPECT_EQ(entries.filters[entry], f);
            for (int c = 0; c < entries.width; ++c)
                EXPECT_EQ(entries.values[static_cast<std::size_t>(entry) * entries.width + c],
                          c < columns ? planes.plane(f, c)[place] : 0);
            ++entry;
        }
        EXPECT_EQ(entry, entries.begin[place + 1]) << "place " << place;
    }
}

TEST(ColumnGradients, SkipsEntriesThatAreZeroInEveryColumn)
{
    const ConvolutionShape shape{{2, 7, 8}, {5, 5, 6}, 3, 1, 0};
    for (const int columns : {1, n_columns, 17}) {
        Columns dz(shape.out, columns);
        for (int f = 0; f < 5; ++f)
            for (int place = 0; place < shape.places(); ++place)
                for (int c = 0; c < columns; ++c)
                    if ((f + place) % 3 == 0 || f == 4 || (c == 0 && columns > 1))
                        dz.planes().plane(f, c)[place] = 0;
        ColumnGradients<double> gradients;
        gradients.set(shape, dz.planes(), columns);
        expect_entries_of(gradients.nonzeros(), dz.planes(), shape.out, columns);
    }
}

TEST(ColumnGradients, AfterMaximaAreTheGradientsOfThePooling)
{
    for (const auto [kernel, stride, height, width] :
         {std::array{2, 2, 6, 8}, {2, 2, 7, 9}, {3, 3, 7, 8}, {2, 3, 8, 8}, {1, 1, 4, 5}}) {
        const Pool pool{Pool::Kind::maximum, kernel, stride};
        const auto cells = [&](int n) { return std::max(0, (n - pool.kernel + pool.stride - 1) / pool.stride) + 1; };
        const PoolingShape shape{{4, height, width}, {4, cells(height), cells(width)}, pool};
        Columns x(shape.in, 1), y(shape.out, 1), dy(shape.out), dx(shape.in);
        std::vector<PlaceInWindow> place(static_cast<std::size_t>(shape.out.size()));
        pool_forward<double>(shape, image_by_image<const double>(x.values.data(), shape.in), 1,
                             image_by_image(y.values.data(), shape.out), place.data());
        std::fill_n(dy.planes().plane(2, 0), n_columns * shape.out.height * shape.out.width, 0.0);
        std::vector<PlaceInWindow> of_all;   // every column has its maxima where the image has them
        for (int f = 0; f < 4; ++f)
            for (int c = 0; c < n_columns; ++c)
                of_all.insert(of_all.end(), place.begin() + f * shape.out.height * shape.out.width,
                              place.begin() + (f + 1) * shape.out.height * shape.out.width);
        pool_backward<double>(shape, dy.planes(), of_all.data(), n_columns, dx.planes());

        ColumnGradients<double> gradients;
        gradients.set_after_maxima(shape, dy.planes(), place.data(), n_columns);
        expect_entries_of(gradients.nonzeros(), dx.planes(), shape.in, n_columns);
        const Planes<const double> planes = gradients.planes();
        for (int f = 0; f < 4; ++f)
            for (int c = 0; c < n_columns; ++c)
                EXPECT_TRUE(
                    std::equal(planes.plane(f, c), planes.plane(f, c) + height * width, dx.planes().plane(f, c)))
                    << "filter " << f << ", column " << c;
    }
}

TEST(TransposedConvolution, IsTheTransposeOfPatchesTimesKernels)
{
    for (const ConvolutionShape shape : {ConvolutionShape{{3, 6, 7}, {5, 4, 5}, 3, 1, 0},
                                         {{6, 5, 5}, {2, 5, 5}, 3, 1, 1},
                                         {{5, 9, 8}, {3, 4, 3}, 3, 2, 0}}) {
        const auto weights = normals(static_cast<std::size_t>(shape.out.channels) * shape.patch(), 5);
        Columns dz(shape.out), dx(shape.in);
        ColumnGradients<double> gradients;
        gradients.set(shape, dz.planes(), n_columns);
        aligned_vector<double> pixels;
        TransposedConvolution<double>(shape, weights.data()).run(gradients, dx.planes(), pixels);
        for (int c = 0; c < n_columns; ++c) {
            std::vector<double> want(static_cast<std::size_t>(shape.in.size()));
            for (int f = 0; f < shape.out.channels; ++f)
                for (int oy = 0; oy < shape.out.height; ++oy)
                    for (int ox = 0; ox < shape.out.width; ++ox)
                        for (int k = 0; k < shape.in.channels; ++k)
                            for (int i = 0; i < shape.kernel; ++i)
                                for (int j = 0; j < shape.kernel; ++j) {
                                    const int y = oy * shape.stride + i - shape.padding,
                                              x = ox * shape.stride + j - shape.padding;
                                    if (y < 0 || y >= shape.in.height || x < 0 || x >= shape.in.width)
                                        continue;
                                    want[static_cast<std::size_t>((k * shape.in.height + y) * shape.in.width + x)] +=
                                        weights[static_cast<std::size_t>(
                                            ((f * shape.in.channels + k) * shape.kernel + i) * shape.kernel + j)]
                                        * dz.planes().plane(f, c)[oy * shape.out.width + ox];
                                }
            for (int k = 0; k < shape.in.channels; ++k)
                for (int p = 0; p < shape.in.height * shape.in.width; ++p)
                    EXPECT_NEAR(dx.planes().plane(k, c)[p],
                                want[static_cast<std::size_t>(k * shape.in.height * shape.in.width + p)], 1e-12)
                        << "channel " << k << ", pixel " << p << ", column " << c;
        }
    }
}

}   // namespace
}   // namespace credence
