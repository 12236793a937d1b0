// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/aligned_vector.h"
#include "network/convolution.h"

#include <vector>

namespace credence {

/// Σ over columns of |dz| [filters × places]: 0 where every column is.
template <class T>
void sizes_of_columns(const ConvolutionShape& shape, Planes<const T> dz, int columns, aligned_vector<T>& sizes);

/// dL/dx of a convolution for several functions L ("columns") of one image at once. Where a maximum was taken behind the convolution or a ReLU stands, most
/// derivatives dz are 0, at the same filters and places for all columns: those are left out, which no product of whole matrices can do. What each place gives
/// back is added where it belongs: pixels stand channel by channel within a pixel, so that a row of the kernel is one piece of memory.
template <class T>
class TransposedConvolution {
public:
    TransposedConvolution(const ConvolutionShape& shape, const T* weights);

    /// Working memory of one task.
    struct Scratch {
        aligned_vector<T> pixels;          // one column's image with its border [height × width × channels]
        aligned_vector<T> sizes;           // Σ over columns of |dz| [filters × places]
        aligned_vector<T> factors;         // [columns × filters] that are not 0 at a place
        std::vector<int>  filters;
    };
    /// @param dz  column c where image c of a batch would stand, as in LayerGradients
    /// @param dx  overwritten, the same way
    void run(Planes<const T> dz, int columns, Planes<T> dx, Scratch& scratch) const;

private:
    ConvolutionShape  shape_;
    std::ptrdiff_t    row_;       // numbers of one row of a kernel, all channels, in whole vectors
    aligned_vector<T> weights_;   // [filters × kernel × row]
};

extern template void sizes_of_columns(const ConvolutionShape&, Planes<const float>, int, aligned_vector<float>&);
extern template void sizes_of_columns(const ConvolutionShape&, Planes<const double>, int, aligned_vector<double>&);
extern template class TransposedConvolution<float>;
extern template class TransposedConvolution<double>;

}  // namespace credence
