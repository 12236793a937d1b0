// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/aligned_vector.h"
#include "layers/convolution.h"

namespace credence {

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

}   // namespace credence
