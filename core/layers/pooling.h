// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/planes.h"
#include "layers/pool.h"

#include <cstdint>

namespace credence {

/// Pooling of several images on the calling thread. Windows begin at multiples of the stride and
/// are clipped at the border.
struct PoolingShape {
    ImageShape in, out;
    Pool pool;
};

/// Position of a maximum in its window: row · kernel + column, the first in row order.
using PlaceInWindow = std::uint16_t;

/// Pools each window; NaN in a window gives NaN.
/// @param place  maximum: output, [channels × images × out places], channel by channel; average:
/// ignored
template <class T>
void pool_forward(const PoolingShape& shape, Planes<const T> x, int images, Planes<T> y, PlaceInWindow* place);

/// Computes the derivative of y when x moves along dx: the derivative at the maximum, or the
/// average over the window.
template <class T>
void pool_tangent(const PoolingShape& shape, Planes<const T> dx, const PlaceInWindow* place, int images, Planes<T> dy);

/// Computes dx from dy: the gradient goes to the maximum only, or equally to the clipped window.
template <class T>
void pool_backward(const PoolingShape& shape, Planes<const T> dy, const PlaceInWindow* place, int images, Planes<T> dx);

}   // namespace credence
