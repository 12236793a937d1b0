// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/convolution.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace credence {
namespace {

/// Calls body with common sizes as compile-time constants, so that a row of that length takes a few
/// vector moves; otherwise with the number itself.
template <int... usual, class Body>
void with_constant(int number, Body body)
{
    if (!((number == usual && (body(std::integral_constant<int, usual>{}), true)) || ...))
        body(number);
}
template <class Body>
void with_width(int width, Body body)
{
    with_constant<4, 7, 8, 10, 12, 14, 16, 24, 28, 32>(width, body);
}

/// A zero-padded plane.
template <class T>
void pad(const T* plane, const ConvolutionShape& shape, T* out)
{
    const int width = shape.in.width, padding = shape.padding, wide = shape.padded_width();
    std::fill_n(out, padding * wide, T(0));
    out += padding * wide;
    for (int row = 0; row < shape.in.height; ++row, out += wide) {
        std::fill_n(out, padding, T(0));
        std::copy_n(plane + std::ptrdiff_t{row} * width, width, out + padding);
        std::fill_n(out + padding + width, padding, T(0));
    }
    std::fill_n(out, padding * wide, T(0));
}

/// The transpose of a convolution with stride 1, for one channel of one image, into a padded plane.
/// First the sums over kernel rows are stored in `shifted`: one plane for each kernel column, with
/// kernel - 1 zeros on both sides of every row. Then the planes are added, each shifted by one more
/// column.
/// @param columns  of kernel row 0, column 0
/// @param next     distance between rows of the matrix
template <class T, class Width>
void spread_channel(const ConvolutionShape& shape, const T* columns, std::ptrdiff_t next, Width width, T* plane,
                    T* shifted)
{
    const int kernel = shape.kernel, margin = kernel - 1, in_height = shape.padded_height(),
              in_width = shape.padded_width();
    const int stride   = width + 2 * margin;
    for (int j = 0; j < kernel; ++j)
        for (int y = 0; y < in_height; ++y) {
            T* __restrict to = shifted + (std::ptrdiff_t{j} * in_height + y) * stride + margin;
            const int first = std::max(0, y - shape.out.height + 1), last = std::min(kernel - 1, y);
            const T* from = columns + (std::ptrdiff_t{first} * kernel + j) * next + std::ptrdiff_t{y - first} * width;
            const std::ptrdiff_t step = kernel * next - width;   // the next kernel row, the previous output row
            if constexpr (!std::is_same_v<Width, int>) {
                T sum[Width::value];
                std::memcpy(sum, from, sizeof sum);
                for (int i = first + 1; i <= last; ++i) {
                    from += step;
#pragma omp simd
                    for (int k = 0; k < width; ++k)
                        sum[k] += from[k];
                }
                std::memcpy(to, sum, sizeof sum);
            } else {
                std::copy_n(from, width, to);
                for (int i = first + 1; i <= last; ++i) {
                    from += step;
                    for (int k = 0; k < width; ++k)
                        to[k] += from[k];
                }
            }
        }
    for (int y = 0; y < in_height; ++y) {
        T* __restrict to = plane + std::ptrdiff_t{y} * in_width;
        with_constant<5>(kernel, [&](auto size) {
            const T* __restrict row = shifted + std::ptrdiff_t{y} * stride + margin;
#pragma omp simd
            for (int k = 0; k < width + margin; ++k) {
                T sum = row[k];
                for (int j = 1; j < size; ++j)
                    sum += row[std::ptrdiff_t{j} * in_height * stride + k - j];
                to[k] = sum;
            }
        });
    }
}

/// Any stride: adds each patch to its original position.
template <class T>
void spread_channel_with_stride(const ConvolutionShape& shape, const T* columns, std::ptrdiff_t next, T* plane)
{
    const int kernel = shape.kernel, stride = shape.stride, in_width = shape.padded_width();
    std::fill_n(plane, shape.padded_height() * in_width, T(0));
    for (int i = 0; i < kernel; ++i)
        for (int j = 0; j < kernel; ++j, columns += next)
            for (int row = 0; row < shape.out.height; ++row)
                for (int k = 0; k < shape.out.width; ++k)
                    plane[(std::ptrdiff_t{row} * stride + i) * in_width + std::ptrdiff_t{k} * stride + j] +=
                        columns[row * shape.out.width + k];
}

}   // namespace

std::size_t ConvolutionShape::scratch_size(int images) const
{
    const std::size_t padded  = padding == 0 ? 0 : static_cast<std::size_t>(padded_height()) * padded_width();
    const std::size_t shifted = stride == 1 ? static_cast<std::size_t>(kernel) * padded_height()
                                                  * (out.width + 2 * (kernel - 1))
                                            : 0;
    return std::max(padded * images * (padding == 0 ? 0 : in.channels), padded + shifted);
}

template <class T>
void patches_to_columns(const ConvolutionShape& shape, Planes<const T> x, int images, T* columns, T* scratch)
{
    const int kernel = shape.kernel, stride = shape.stride, rows = shape.out.height, in_width = shape.padded_width();
    const std::ptrdiff_t padded   = std::ptrdiff_t{shape.padded_height()} * in_width,
                         next_row = shape.columns_row<T>(images);
    for (int c = 0; c < shape.in.channels; ++c) {
        const T* first            = x.plane(c, 0);
        std::ptrdiff_t next_image = x.image;
        if (shape.padding > 0) {
            for (int b = 0; b < images; ++b)
                pad(x.plane(c, b), shape, scratch + b * padded);
            first      = scratch;
            next_image = padded;
        }
        with_width(shape.out.width, [&](auto width) {
            for (int i = 0; i < kernel; ++i)
                for (int j = 0; j < kernel; ++j, columns += next_row) {
                    T* to = columns;
                    for (int b = 0; b < images; ++b) {
                        const T* from = first + b * next_image + std::ptrdiff_t{i} * in_width + j;
                        for (int row = 0; row < rows; ++row, to += width, from += std::ptrdiff_t{stride} * in_width) {
                            if (stride == 1)
                                std::memcpy(to, from, sizeof(T) * static_cast<std::size_t>(width));
                            else
                                for (int k = 0; k < width; ++k)
                                    to[k] = from[std::ptrdiff_t{k} * stride];
                        }
                    }
                    std::fill(to, columns + next_row, T(0));
                }
        });
    }
}

template <class T>
void patches_to_rows(const ConvolutionShape& shape, Planes<const T> x, int images, T* rows, T* scratch)
{
    const int stride = shape.stride, channels = shape.in.channels, in_width = shape.padded_width(),
              patch             = shape.patch();
    const std::ptrdiff_t padded = std::ptrdiff_t{shape.padded_height()} * in_width, next_row = shape.rows_row<T>();
    if (shape.padding > 0) {
        for (int c = 0; c < channels; ++c)
            for (int b = 0; b < images; ++b)
                pad(x.plane(c, b), shape, scratch + (std::ptrdiff_t{c} * images + b) * padded);
        x = {scratch, images * padded, padded};
    }
    with_constant<3, 5>(shape.kernel, [&](auto kernel) {
        for (int b = 0; b < images; ++b)
            for (int row = 0; row < shape.out.height; ++row)
                for (int column = 0; column < shape.out.width; ++column, rows += next_row) {
                    T* to          = rows;
                    const T* plane = x.plane(0, b) + std::ptrdiff_t{row} * stride * in_width
                                     + std::ptrdiff_t{column} * stride;
                    for (int c = 0; c < channels; ++c, plane += x.channel) {
                        const T* from = plane;
                        for (int i = 0; i < kernel; ++i, from += in_width, to += kernel)
                            std::memcpy(to, from, sizeof(T) * static_cast<std::size_t>(kernel));
                    }
                    std::fill(rows + patch, rows + next_row, T(0));
                }
    });
}

template <class T>
void columns_to_patches(const ConvolutionShape& shape, const T* columns, int images, Planes<T> dx, T* scratch)
{
    const int in_height = shape.padded_height(), in_width = shape.padded_width(), padding = shape.padding,
              area                = shape.kernel * shape.kernel;
    const std::ptrdiff_t padded   = padding == 0 ? 0 : std::ptrdiff_t{in_height} * in_width,
                         next_row = shape.columns_row<T>(images);
    T* const shifted              = scratch + padded;
    if (shape.stride == 1)
        std::fill_n(shifted, shape.kernel * in_height * (shape.out.width + 2 * (shape.kernel - 1)), T(0));
    for (int c = 0; c < shape.in.channels; ++c)
        for (int b = 0; b < images; ++b) {
            T* plane      = padding > 0 ? scratch : dx.plane(c, b);
            const T* from = columns + std::ptrdiff_t{c} * area * next_row + std::ptrdiff_t{b} * shape.places();
            if (shape.stride == 1)
                with_width(shape.out.width,
                           [&](auto width) { spread_channel(shape, from, next_row, width, plane, shifted); });
            else
                spread_channel_with_stride(shape, from, next_row, plane);
            if (padding > 0)
                for (int row = 0; row < shape.in.height; ++row)
                    std::copy_n(plane + std::ptrdiff_t{row + padding} * in_width + padding, shape.in.width,
                                dx.plane(c, b) + std::ptrdiff_t{row} * shape.in.width);
        }
}

template void patches_to_columns(const ConvolutionShape&, Planes<const float>, int, float*, float*);
template void patches_to_columns(const ConvolutionShape&, Planes<const double>, int, double*, double*);
template void patches_to_rows(const ConvolutionShape&, Planes<const float>, int, float*, float*);
template void patches_to_rows(const ConvolutionShape&, Planes<const double>, int, double*, double*);
template void columns_to_patches(const ConvolutionShape&, const float*, int, Planes<float>, float*);
template void columns_to_patches(const ConvolutionShape&, const double*, int, Planes<double>, double*);

}   // namespace credence
