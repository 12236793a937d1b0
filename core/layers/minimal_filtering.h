// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/convolution.h"

namespace credence {

/// A convolution of one image with fresh weights, by fewer products: Winograd's F(4, 5) along the rows of a kernel of 5 × 5. Four neighbours y of a row of the output take from each
/// row g of the kernel, with the eight inputs d above them,
///
///     y = Aᵀ [(G g) ⊙ (Bᵀ d)]:   8 products in place of 20,   Toom–Cook at the points 0, ±1, ±2, ±1/2, ∞,
///
/// and what stands in brackets is added up over the rows of the kernel and the channels before Aᵀ. Its sums are others than those of a convolution in order, so that it rounds otherwise: by
/// less than 30 units of rounding of Σ|w x|, most of it in Bᵀ. Everything runs on the caller's thread and allocates nothing.
/// Source: Winograd, Arithmetic complexity of computations, 1980; Lavin and Gray, Fast algorithms for convolutional neural networks, 2016
template <class T>
class MinimalFiltering {
public:
    /// Is the convolution one of these, and so large that the transforms cost less than what they save?
    static bool pays(const ConvolutionShape& shape);

    explicit MinimalFiltering(const ConvolutionShape& shape);

    std::size_t inputs_size() const { return std::size_t{8} * static_cast<std::size_t>(next_point_); }   ///< numbers
    std::size_t scratch_size() const;                                                                    ///< numbers

    /// Bᵀ d of image `b`, the same for all weights. @param inputs  [inputs_size()]
    void transform(Planes<const T> x, int b, T* inputs, T* scratch) const;

    /// z = w * x + biases of image `b`.
    /// @param weights  [filters × channels × 5 × 5] @param inputs  what transform wrote
    void run(const T* weights, const T* biases, const T* inputs, Planes<T> z, int b, T* scratch) const;

private:
    ConvolutionShape shape_;
    int tiles_;                                  // of four outputs, in a row
    int places_;                                 // tiles of an image
    std::ptrdiff_t next_channel_, next_point_;   // of transformed inputs, numbers
};

}   // namespace credence
