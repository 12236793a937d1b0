// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/column_gradients.h"

namespace credence {

/// dL/dx of a convolution for several functions L ("columns") of one image at once, from the derivatives dz that are not 0, which no product of whole matrices can
/// do. What each place gives back is added where it belongs: pixels stand channel by channel within a pixel, so that a row of the kernel is one piece of memory.
template <class T>
class TransposedConvolution {
public:
    TransposedConvolution(const ConvolutionShape& shape, const T* weights);

    /// @param dx      overwritten; column c where image c of a batch would stand
    /// @param pixels  working memory of one task: of each column the image with its border [height × width × channels]
    void run(ColumnGradients<T>& dz, Planes<T> dx, aligned_vector<T>& pixels) const;

private:
    ConvolutionShape shape_;
    std::ptrdiff_t row_;          // numbers of one row of a kernel, all channels, in whole vectors
    aligned_vector<T> weights_;   // [filters × kernel × row]
};

extern template class TransposedConvolution<float>;
extern template class TransposedConvolution<double>;

}   // namespace credence
