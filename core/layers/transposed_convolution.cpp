// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/column_gradients.h"

#include "foundation/aligned_vector.h"
#include "foundation/simd_vector.h"

#include <algorithm>
#include <type_traits>

namespace credence {
namespace {

constexpr int vectors_at_once = widest_register == 64 ? 7 : 4,
              columns_at_once = widest_register == 64 ? 3 : 2;   // sums in registers, in addition to the weights

template <class T>
using Vector = SimdVector<T, widest_register>;

/// to[c] += Σ_k factors[k][c] w_{filters[k]} for some columns and vectors.
template <int columns, int vectors, class T>
void add_rows(T* to, std::ptrdiff_t next_column, const T* factors, std::ptrdiff_t next_factors, const T* weights,
              std::ptrdiff_t next_filter, const int* filters, int n_filters)
{
    using V = Vector<T>;
    typename V::Values sum[columns][vectors];
#pragma GCC unroll 3
    for (int c = 0; c < columns; ++c)
#pragma GCC unroll 7
        for (int v = 0; v < vectors; ++v)
            sum[c][v] = V::load(to + c * next_column + v * V::lanes);
    for (int k = 0; k < n_filters; ++k) {
        const T *w = weights + filters[k] * next_filter, *of_filter = factors + k * next_factors;
        typename V::Values x[vectors];
#pragma GCC unroll 7
        for (int v = 0; v < vectors; ++v)
            x[v] = V::load(w + v * V::lanes);
#pragma GCC unroll 3
        for (int c = 0; c < columns; ++c) {
            const T factor = of_filter[c];
#pragma GCC unroll 7
            for (int v = 0; v < vectors; ++v)
                sum[c][v] += factor * x[v];
        }
    }
#pragma GCC unroll 3
    for (int c = 0; c < columns; ++c)
#pragma GCC unroll 7
        for (int v = 0; v < vectors; ++v)
            V::store(to + c * next_column + v * V::lanes, sum[c][v]);
}

template <int columns, class T, class... Arguments>
void add_rows(int vectors, T* to, Arguments... arguments)
{
    switch (vectors) {
    case 1: return add_rows<columns, 1>(to, arguments...);
    case 2: return add_rows<columns, 2>(to, arguments...);
    case 3: return add_rows<columns, 3>(to, arguments...);
    case 4: return add_rows<columns, 4>(to, arguments...);
    case 5: return add_rows<columns, std::min(5, vectors_at_once)>(to, arguments...);
    case 6: return add_rows<columns, std::min(6, vectors_at_once)>(to, arguments...);
    default: return add_rows<columns, vectors_at_once>(to, arguments...);
    }
}

}   // namespace

template <class T>
TransposedConvolution<T>::TransposedConvolution(const ConvolutionShape& shape, const T* weights) : shape_(shape)
{
    constexpr int lanes = Vector<T>::lanes;
    const int kernel = shape.kernel, channels = shape.in.channels, length = kernel * channels;
    row_ = (length + lanes - 1) / lanes * lanes;
    weights_.resize(static_cast<std::size_t>(shape.out.channels * kernel * row_));   // each row is padded with zeros
    for (int f = 0; f < shape.out.channels; ++f)
        for (int c = 0; c < channels; ++c)
            for (int i = 0; i < kernel; ++i)
                for (int j = 0; j < kernel; ++j)
                    weights_[static_cast<std::size_t>((std::ptrdiff_t{f} * kernel + i) * row_ + j * channels + c)] =
                        *weights++;
}

template <class T>
void TransposedConvolution<T>::run(ColumnGradients<T>& dz, Planes<T> dx, aligned_vector<T>& memory) const
{
    constexpr int lanes = Vector<T>::lanes;
    const int channels = shape_.in.channels, kernel = shape_.kernel, stride = shape_.stride, padding = shape_.padding,
              columns          = dz.columns();
    const std::ptrdiff_t wide  = std::ptrdiff_t{shape_.padded_width()} * channels;
    const std::ptrdiff_t image = (shape_.padded_height() * wide + row_ + lanes - 1) / lanes
                                 * lanes;   // the last vector of a row can extend beyond it
    const auto& entries = dz.nonzeros();
    T* const pixels     = sized(memory, static_cast<std::size_t>(image * columns));
    std::fill_n(pixels, image * columns, T(0));
    for (int oy = 0; oy < shape_.out.height; ++oy)
        for (int ox = 0; ox < shape_.out.width; ++ox) {
            const int place = oy * shape_.out.width + ox, first = entries.begin[place],
                      n = entries.begin[place + 1] - first;
            if (n == 0)
                continue;
            const int* filters = entries.filters.data() + first;
            for (int i = 0; i < kernel; ++i) {
                T* row = pixels + (std::ptrdiff_t{oy} * stride + i) * wide + std::ptrdiff_t{ox} * stride * channels;
                for (std::ptrdiff_t begin = 0; begin < row_; begin += vectors_at_once * lanes) {
                    const int vectors = static_cast<int>(
                        std::min<std::ptrdiff_t>(vectors_at_once, (row_ - begin) / lanes));
                    const T* weights = weights_.data() + i * row_ + begin;
                    for (int c = 0; c < columns; c += columns_at_once) {
                        T* to            = row + begin + c * image;
                        const T* factors = entries.values.data() + std::ptrdiff_t{first} * entries.width + c;
                        const auto run   = [&](auto count) {
                            add_rows<decltype(count)::value>(vectors, to, image, factors, std::ptrdiff_t{entries.width},
                                                             weights, kernel * row_, filters, n);
                        };
                        switch (std::min(columns_at_once, columns - c)) {
                        case 1: run(std::integral_constant<int, 1>{}); break;
                        case 2: run(std::integral_constant<int, 2>{}); break;
                        default: run(std::integral_constant<int, columns_at_once>{});
                        }
                    }
                }
            }
        }
    const int height = shape_.in.height, width = shape_.in.width;
    for (int c = 0; c < columns; ++c)
        for (int y = 0; y < height; ++y) {
            const T* from   = pixels + c * image + (y + padding) * wide + std::ptrdiff_t{padding} * channels;
            const auto line = [&](int k) { return dx.plane(k, c) + std::ptrdiff_t{y} * width; };
            int k           = 0;
            for (; k + 4 <= channels; k += 4) {
                T* const to[4] = {line(k), line(k + 1), line(k + 2), line(k + 3)};
                int x          = 0;
                for (; x + 4 <= width; x += 4)
                    transpose_4x4(from + std::ptrdiff_t{x} * channels + k, channels,
                                  {to[0] + x, to[1] + x, to[2] + x, to[3] + x});
                for (; x < width; ++x)
                    for (int j = 0; j < 4; ++j)
                        to[j][x] = from[std::ptrdiff_t{x} * channels + k + j];
            }
            for (; k < channels; ++k)
                for (int x = 0; x < width; ++x)
                    line(k)[x] = from[std::ptrdiff_t{x} * channels + k];
        }
}

template class TransposedConvolution<float>;
template class TransposedConvolution<double>;

}   // namespace credence
