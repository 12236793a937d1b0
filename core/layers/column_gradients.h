// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/aligned_vector.h"
#include "layers/convolution.h"
#include "layers/pool.h"

#include <optional>
#include <vector>

namespace credence {

/// The derivatives dz of several functions ("columns") of one image with respect to the
/// pre-activations of a convolution. After max pooling or a ReLU most of them are 0, at the same
/// filters and positions for all columns. Sums over nonzero entries use nonzeros(); matrix products
/// use planes(). Both are computed on first request; after max pooling, nonzeros() does not need
/// planes().
template <class T>
class ColumnGradients {
public:
    /// Entries that are nonzero in at least one column, sorted by position, then by filter.
    struct NonZeros {
        std::vector<int> begin;     ///< first entry of each position [places + 1]
        std::vector<int> filters;   ///< of each entry
        aligned_vector<T> values;   ///< [entries × width], padded with zeros after the last column
        int width = 0;              ///< a multiple of the vector length
    };

    /// Sets the next image. Columns take the place of a batch's images: dz, dy [channels × (columns
    /// × places)]. The data are borrowed until the next call.
    void set(const ConvolutionShape& shape, Planes<const T> dz, int columns);
    /// The same for gradients after non-overlapping max pooling. @param dy  derivatives with
    /// respect to the maxima; @param place  positions of the image's maxima
    void set_after_maxima(const PoolingShape& shape, Planes<const T> dy, const PlaceInWindow* place, int columns);
    static bool overlap(const Pool& pool) { return pool.kernel > pool.stride; }

    int columns() const { return columns_; }
    Planes<const T>
    planes();   ///< column c takes the place of image c of a batch; a channel is a row of padded_row numbers
    const NonZeros& nonzeros();

private:
    void find_nonzeros();
    /// Positions in the convolution's output: of each window's first entry, and of the entries in a window.
    void find_windows(const PoolingShape& maxima);

    ImageShape out_{};   // the convolution's output
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

/// Number of groups of consecutive images in a pass over n images with a LayerGradients; groups are
/// processed in parallel. Depends on n alone.
inline constexpr int most_image_groups = 16;
inline int image_groups(int n) { return std::min(most_image_groups, n); }

/// Reads the results of one backward pass at every layer with weights: the layer's inputs and the
/// derivatives of several functions of the outputs ("columns") with respect to the layer's
/// pre-activations. Curvature, Jacobians and logit covariances are sums of their products.
template <class T>
class LayerGradients {
public:
    virtual ~LayerGradients() = default;

    /// All examples at once, on the calling thread.
    /// @param layer  0-based among the layers with weights
    /// @param x      inputs [n × in]
    /// @param g      [columns × n × out]
    virtual void dense(int layer, const T* x, const T* g, int columns, int n, int in, int out) = 0;

    /// One image. Groups run in parallel; the images of a group are processed in order.
    /// @param x  the image
    virtual void convolution(int layer, int group, int image, const ConvolutionShape& shape, Planes<const T> x,
                             ColumnGradients<T>& dz) = 0;
};

}   // namespace credence
