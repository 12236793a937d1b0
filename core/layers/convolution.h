// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/aligned_vector.h"
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

/// The patches of one image as rows [positions × patch size], each row padded to padded_row
/// numbers.
template <class T>
const T* patch_rows(const ConvolutionShape& shape, Planes<const T> x, aligned_vector<T>& rows,
                    aligned_vector<T>& scratch)
{
    T* to = sized(rows, shape.matrix_size<T>(1) + 64);
    patches_to_rows(shape, x, 1, to, sized(scratch, shape.scratch_size(1) + 1));
    return to;
}

/// Weight and bias gradients for column c (see LayerGradients): dw [out × patch size], db [out].
template <class T>
void convolution_gradient(const ConvolutionShape& shape, const T* rows, Planes<const T> dz, int c, T* dw, T* db)
{
    const int places = shape.places(), out = shape.out.channels;
    wide_product(Strided<T>{dz.plane(0, c), dz.channel}, rows, shape.rows_row<T>(), dw, shape.patch(), out, places,
                 shape.patch(), Begin::zero);
    for (int o = 0; o < out; ++o) {
        const T* row = dz.plane(o, c);
        T sum        = 0;
#pragma omp simd reduction(+ : sum)
        for (int i = 0; i < places; ++i)
            sum += row[i];
        db[o] = sum;
    }
}

/// The convolution of one image, with weights that change between calls, by fewer multiplications:
/// Winograd's F(4, 5) along the rows of a 5 × 5 kernel. Four neighbouring outputs y of a row depend
/// on each kernel row g and the eight inputs d under it by
///
///     y = Aᵀ [(G g) ⊙ (Bᵀ d)]
///
/// with 8 products instead of 20: Toom–Cook at the points 0, ±1, ±2, ±1/2, ∞.
///
/// The terms in brackets are summed over kernel rows and channels before Aᵀ is applied. The order
/// of summation differs from that of a direct convolution, and so does the rounding: by less than
/// 30 units of rounding of Σ|w x|, most of it in Bᵀ. All functions run on the calling thread and do
/// not allocate.
/// Source: Winograd, Arithmetic complexity of computations, 1980; Lavin and Gray, Fast algorithms
/// for convolutional neural networks, 2016
template <class T>
class MinimalFiltering {
public:
    /// True if the convolution has this form and is large enough for the savings to exceed the cost
    /// of the transforms.
    static bool pays(const ConvolutionShape& shape);

    explicit MinimalFiltering(const ConvolutionShape& shape);

    std::size_t inputs_size() const { return std::size_t{8} * static_cast<std::size_t>(next_point_); }   ///< numbers
    std::size_t scratch_size() const;                                                                    ///< numbers

    /// Computes Bᵀ d of image `b`, which is the same for all weights.
    /// @param inputs  [inputs_size()]
    void transform(Planes<const T> x, int b, T* inputs, T* scratch) const;

    /// Computes z = w * x + biases of image `b`.
    /// @param weights  [filters × channels × 5 × 5] @param inputs  written by transform
    void run(const T* weights, const T* biases, const T* inputs, Planes<T> z, int b, T* scratch) const;

private:
    ConvolutionShape shape_;
    int tiles_;                                  // tiles of four outputs in a row
    int places_;                                 // tiles in an image
    std::ptrdiff_t next_channel_, next_point_;   // strides of the transformed inputs, in numbers
};

}   // namespace credence
