// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/wide_product.h"
#include "layers/planes.h"

#include <algorithm>

namespace credence {

/// The convolution of several images as matrix products. A patch is the part of an image under the
/// kernel at one position. With the patches as columns of one matrix [patch × (images × places)]
/// and as rows of another [(images × places) × patch],
///     z [filters × (images × places)] = w [filters × patch] · columns,
///     dw = dz · rows,   d columns = wᵀ · dz.
/// All functions run on the calling thread and do not allocate.
struct ConvolutionShape {
    ImageShape in, out;
    int kernel = 5, stride = 1, padding = 0;

    int patch() const { return in.channels * kernel * kernel; }
    int places() const { return out.height * out.width; }
    int padded_height() const { return in.height + 2 * padding; }
    int padded_width() const { return in.width + 2 * padding; }

    /// Distance between rows of `columns`, and between rows of `rows`, in numbers.
    template <class T>
    std::ptrdiff_t columns_row(int images) const
    {
        return padded_row<T>(std::ptrdiff_t{images} * places());
    }
    template <class T>
    std::ptrdiff_t rows_row() const
    {
        return padded_row<T>(patch());
    }

    /// Memory for either matrix of `images` images, and scratch memory for the functions below, in
    /// numbers.
    template <class T>
    std::size_t matrix_size(int images) const
    {
        return static_cast<std::size_t>(std::max(patch() * columns_row<T>(images), images * places() * rows_row<T>()));
    }
    std::size_t scratch_size(int images) const;
};

/// Writes the patches, with zeros where the kernel extends beyond the border.
template <class T>
void patches_to_columns(const ConvolutionShape& shape, Planes<const T> x, int images, T* columns, T* scratch);
template <class T>
void patches_to_rows(const ConvolutionShape& shape, Planes<const T> x, int images, T* rows, T* scratch);

/// Sums the patches' gradients into dx: the transpose of patches_to_columns.
template <class T>
void columns_to_patches(const ConvolutionShape& shape, const T* columns, int images, Planes<T> dx, T* scratch);

}   // namespace credence
