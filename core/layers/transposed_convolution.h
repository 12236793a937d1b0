// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/column_gradients.h"

namespace credence {

/// dL/dx of a convolution for several functions L ("columns") of one image at once. Only nonzero
/// derivatives dz are processed, which products of whole matrices cannot exploit. The contribution
/// of each position is added to its pixels. Channels are stored within each pixel, so that a kernel
/// row is contiguous.
template <class T>
class TransposedConvolution {
public:
    TransposedConvolution(const ConvolutionShape& shape, const T* weights);

    /// @param dx      overwritten; column c takes the place of image c of a batch
    /// @param pixels  workspace of one task: for each column the image with its border [height ×
    /// width × channels]
    void run(ColumnGradients<T>& dz, Planes<T> dx, aligned_vector<T>& pixels) const;

private:
    ConvolutionShape shape_;
    std::ptrdiff_t row_;          // size of one kernel row with all channels, rounded up to whole vectors
    aligned_vector<T> weights_;   // [filters × kernel × row]
};

extern template class TransposedConvolution<float>;
extern template class TransposedConvolution<double>;

}   // namespace credence
