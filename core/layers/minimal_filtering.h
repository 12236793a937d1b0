// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/convolution.h"

namespace credence {

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
