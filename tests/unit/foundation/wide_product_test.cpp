// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/aligned_vector.h"
#include "foundation/wide_product.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace credence {
namespace {

/// Numbers in rows of padded_row, with NaN beyond the end of a row.
template <class T>
aligned_vector<T> rows_of(int rows, int columns, double phase)
{
    aligned_vector<T> m(static_cast<std::size_t>(rows * padded_row<T>(columns)), std::numeric_limits<T>::quiet_NaN());
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c)
            m[static_cast<std::size_t>(r * padded_row<T>(columns) + c)] = static_cast<T>(
                std::sin(phase + 0.7 * r + 1.3 * c));
    return m;
}

template <class T>
class WideProduct : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(WideProduct, Precisions);

TYPED_TEST(WideProduct, IsTheSumOverRowsAndColumnsForAnyShapeAndBegin)
{
    using T = TypeParam;
    for (const int m : {1, 2, 5, 6, 7, 13, 20})
        for (const int k : {1, 3, 25, 300})
            for (const int n : {1, 15, 16, 17, 33, 64, 65, 100}) {
                const auto a = rows_of<T>(m, k, 1), b = rows_of<T>(k, n, 2), start = rows_of<T>(1, m, 3);
                const std::ptrdiff_t a_row = padded_row<T>(k), b_row = padded_row<T>(n);
                for (const Begin begin : {Begin::zero, Begin::rows, Begin::c}) {
                    std::vector<T> c(static_cast<std::size_t>(m * n), T(0.5));
                    wide_product(Strided<T>{a.data(), a_row, 1}, b.data(), b_row, c.data(), n, m, k, n, begin,
                                 start.data());
                    for (int i = 0; i < m; ++i)
                        for (int j = 0; j < n; ++j) {
                            double want = begin == Begin::zero   ? 0
                                          : begin == Begin::rows ? double(start[static_cast<std::size_t>(i)])
                                                                 : 0.5;
                            for (int s = 0; s < k; ++s)
                                want += double(a[static_cast<std::size_t>(i * a_row + s)])
                                        * double(b[static_cast<std::size_t>(s * b_row + j)]);
                            ASSERT_NEAR(c[static_cast<std::size_t>(i * n + j)], want,
                                        (sizeof(T) == 4 ? 1e-6 : 1e-14) * (k + 1))
                                << m << "×" << k << "×" << n;
                        }
                }
            }
}

TYPED_TEST(WideProduct, TakesATransposedFactorAsItStands)
{
    using T     = TypeParam;
    const int m = 11, k = 40, n = 37;
    const auto a = rows_of<T>(m, k, 1), b = rows_of<T>(k, n, 2);
    std::vector<T> transposed(static_cast<std::size_t>(m * k)), c(static_cast<std::size_t>(m * n)), d(c.size());
    for (int i = 0; i < m; ++i)
        for (int s = 0; s < k; ++s)
            transposed[static_cast<std::size_t>(s * m + i)] = a[static_cast<std::size_t>(i * padded_row<T>(k) + s)];
    wide_product(Strided<T>{a.data(), padded_row<T>(k), 1}, b.data(), padded_row<T>(n), c.data(), n, m, k, n,
                 Begin::zero);
    wide_product(Strided<T>{transposed.data(), 1, m}, b.data(), padded_row<T>(n), d.data(), n, m, k, n, Begin::zero);
    EXPECT_EQ(c, d);
}

TYPED_TEST(WideProduct, AColumnHasTheSameBitsAloneAndAmongOthers)
{
    using T     = TypeParam;
    const int m = 20, k = 300, n = 130;
    const auto a = rows_of<T>(m, k, 1), b = rows_of<T>(k, n, 2);
    std::vector<T> all(static_cast<std::size_t>(m * n)), some(static_cast<std::size_t>(m * 16));
    wide_product(Strided<T>{a.data(), padded_row<T>(k), 1}, b.data(), padded_row<T>(n), all.data(), n, m, k, n,
                 Begin::zero);
    wide_product(Strided<T>{a.data(), padded_row<T>(k), 1}, b.data() + 80, padded_row<T>(n), some.data(), 16, m, k, 16,
                 Begin::zero);
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < 16; ++j)
            EXPECT_EQ(some[static_cast<std::size_t>(i * 16 + j)], all[static_cast<std::size_t>(i * n + 80 + j)]);
}

}   // namespace
}   // namespace credence
