// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/aligned_vector.h"
#include "layers/convolution.h"
#include "layers/pooling.h"

#include <optional>
#include <vector>

namespace credence {

/// The derivatives dz of several functions ("columns") of one image with respect to what leaves a convolution, before its activation. Where a maximum is taken
/// behind the convolution or a ReLU stands, most of them are 0, at the same filters and places for all columns. Whoever sums over what is not 0 reads nonzeros(),
/// whoever multiplies whole matrices planes(); either is made when it is first asked for, the one behind windows of maxima without the other.
template <class T>
class ColumnGradients {
public:
    /// What is not 0 for some column, place by place, within a place by rising filter.
    struct NonZeros {
        std::vector<int> begin;     ///< of a place's entries [places + 1]
        std::vector<int> filters;   ///< of each entry
        aligned_vector<T> values;   ///< [entries × width], zeros behind the columns
        int width = 0;              ///< a whole number of vectors
    };

    /// The next image. Columns stand where the images of a batch would: dz, dy [channels × (columns × places)], alive as long as this is asked.
    void set(const ConvolutionShape& shape, Planes<const T> dz, int columns);
    /// The same behind windows of maxima that do not overlap. @param dy  derivatives with respect to the maxima; @param place  of the image's maxima
    void set_behind_maxima(const PoolingShape& shape, Planes<const T> dy, const PlaceInWindow* place, int columns);
    static bool overlap(const Pool& pool) { return pool.kernel > pool.stride; }

    int columns() const { return columns_; }
    Planes<const T>
    planes();   ///< column c stands where image c of a batch would; a channel is a row of padded_row numbers
    const NonZeros& nonzeros();

private:
    void find_nonzeros();

    ImageShape out_{};   // of the convolution
    int columns_ = 0;
    Planes<const T> given_;   // dz, or dy of the maxima
    std::optional<PoolingShape> maxima_;
    const PlaceInWindow* place_ = nullptr;
    aligned_vector<T> planes_, sizes_;
    std::vector<int> cells_, windows_, in_window_;
    NonZeros nonzeros_;
    bool expanded_ = false, found_ = false;
};

extern template class ColumnGradients<float>;
extern template class ColumnGradients<double>;

}   // namespace credence
