// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/column_gradients.h"

namespace credence {

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
