// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/column_gradients.h"

namespace credence {

/// Into how many groups of consecutive images a pass over n images is cut for a LayerGradients; groups run side by side. Depends on n alone.
inline constexpr int most_image_groups = 16;
inline int image_groups(int n) { return std::min(most_image_groups, n); }

/// Reads what one pass backward through a network makes at every layer with weights: the layer's inputs and the derivatives of some functions of the outputs
/// ("columns") with respect to what leaves the layer before its activation. Of these, curvature, Jacobians and covariances of logits are sums of products.
template <class T>
class LayerGradients {
public:
    virtual ~LayerGradients() = default;

    /// All examples at once, on the caller's thread.
    /// @param layer  0-based among the layers with weights
    /// @param x      inputs [n × in]
    /// @param g      [columns × n × out]
    virtual void dense(int layer, const T* x, const T* g, int columns, int n, int in, int out) = 0;

    /// One image. Groups run side by side; the images of a group come one after the other in their order.
    /// @param x  the image
    virtual void convolution(int layer, int group, int image, const ConvolutionShape& shape, Planes<const T> x,
                             ColumnGradients<T>& dz) = 0;
};

}   // namespace credence
