// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/column_gradients.h"

#include "foundation/aligned_vector.h"
#include "foundation/simd_vector.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace credence {
namespace {

constexpr int whole_vectors = 16;   // columns are padded to a multiple of this

}   // namespace

template <class T>
void ColumnGradients<T>::set(const ConvolutionShape& shape, Planes<const T> dz, int columns)
{
    out_     = shape.out;
    columns_ = columns;
    given_   = dz;
    maxima_.reset();
    expanded_ = found_ = false;
}

template <class T>
void ColumnGradients<T>::set_after_maxima(const PoolingShape& shape, Planes<const T> dy, const PlaceInWindow* place,
                                          int columns)
{
    assert(shape.pool.kind == Pool::Kind::maximum && !overlap(shape.pool));
    out_      = shape.in;
    columns_  = columns;
    given_    = dy;
    maxima_   = shape;
    place_    = place;
    expanded_ = found_ = false;
}

template <class T>
Planes<const T> ColumnGradients<T>::planes()
{
    if (!maxima_)
        return given_;
    const std::ptrdiff_t windows = std::ptrdiff_t{maxima_->out.height} * maxima_->out.width;
    T* planes                    = sized(planes_, static_cast<std::size_t>(
                                   out_.channels * padded_row<T>(std::ptrdiff_t{columns_} * out_.height * out_.width))
                                                      + 64 / sizeof(T));
    const Planes<T> all          = channels_as_rows(planes, out_, columns_);
    if (!expanded_)
        for (int f = 0; f < out_.channels; ++f)
            for (int c = 0; c < columns_; ++c) {
                PoolingShape plane = *maxima_;
                plane.in.channels = plane.out.channels = 1;
                pool_backward<T>(plane, {given_.plane(f, c)}, place_ + f * windows, 1, {all.plane(f, c)});
            }
    expanded_ = true;
    return all;
}

template <class T>
auto ColumnGradients<T>::nonzeros() -> const NonZeros&
{
    if (!found_)
        find_nonzeros();
    found_ = true;
    return nonzeros_;
}

template <class T>
void ColumnGradients<T>::find_windows(const PoolingShape& maxima)
{
    windows_.clear();
    in_window_.clear();
    const int kernel = maxima.pool.kernel, stride = maxima.pool.stride;
    for (int r = 0; r < maxima.out.height; ++r)
        for (int c = 0; c < maxima.out.width; ++c)
            windows_.push_back((r * out_.width + c) * stride);
    for (int r = 0; r < kernel; ++r)
        for (int c = 0; c < kernel; ++c)
            in_window_.push_back(r * out_.width + c);
}

template <class T>
void ColumnGradients<T>::find_nonzeros()
{
    const ImageShape given = maxima_ ? maxima_->out : out_;
    const int n = given.height * given.width, width = (columns_ + whole_vectors - 1) / whole_vectors * whole_vectors;
    if (nonzeros_.width != width)
        nonzeros_.values.clear();
    nonzeros_.width = width;
    nonzeros_.begin.assign(static_cast<std::size_t>(out_.height) * out_.width + 1, 0);
    int* const begin          = nonzeros_.begin.data();
    T* const __restrict sizes = sized(sizes_, static_cast<std::size_t>(n));
    int* const all_cells      = sized(cells_, static_cast<std::size_t>(given.channels)
                                                  * n);   // the position of an entry, -1 for zeros
    if (maxima_)
        find_windows(*maxima_);
    for (int f = 0; f < given.channels; ++f) {
        std::fill_n(sizes, n, T(0));
        for (int c = 0; c < columns_; ++c) {
            const T* __restrict from = given_.plane(f, c);
#pragma omp simd
            for (int o = 0; o < n; ++o)
                sizes[o] += std::fabs(from[o]);
        }
        int* cells = all_cells + std::ptrdiff_t{f} * n;
        for (int o = 0; o < n; ++o) {
            cells[o] = sizes[o] == T(0) ? -1 : maxima_ ? windows_[o] + in_window_[place_[f * n + o]] : o;
            if (cells[o] >= 0)
                ++begin[cells[o]];
        }
    }
    std::partial_sum(nonzeros_.begin.begin(), nonzeros_.begin.end(), begin);   // now the ends of the positions
    const auto all     = static_cast<std::size_t>(nonzeros_.begin.back());
    int* const filters = sized(nonzeros_.filters, all);
    T* const values    = sized(nonzeros_.values, (all + 1) * width);   // zeros are written after the last entry
    // Each position is filled from its end, the last filter first, so that `begin` moves from its
    // end back to its start.
    for (int f = given.channels; f-- > 0;) {
        const int* cells      = all_cells + std::ptrdiff_t{f} * n;
        const T* from         = given_.plane(f, 0);
        const auto next_entry = [&](int o) {
            if (cells[o] < 0)
                return values + all * width;
            const int entry = --begin[cells[o]];
            filters[entry]  = f;
            return values + std::ptrdiff_t{entry} * width;
        };
        int o = 0;
        for (; o + 4 <= n; o += 4) {
            T* const to[4] = {next_entry(o), next_entry(o + 1), next_entry(o + 2), next_entry(o + 3)};
            int c          = 0;
            for (; c + 4 <= columns_; c += 4)
                transpose_4x4(from + o + c * given_.image, given_.image, {to[0] + c, to[1] + c, to[2] + c, to[3] + c});
            for (; c < columns_; ++c)
                for (int k = 0; k < 4; ++k)
                    to[k][c] = from[o + k + c * given_.image];
        }
        for (; o < n; ++o) {
            T* to = next_entry(o);
            for (int c = 0; c < columns_; ++c)
                to[c] = from[o + c * given_.image];
        }
    }
}

template class ColumnGradients<float>;
template class ColumnGradients<double>;

}   // namespace credence
