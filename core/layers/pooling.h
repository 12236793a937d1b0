// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/planes.h"
#include "layers/pool.h"

#include <cstdint>

namespace credence {

/// Pooling of some images on the caller's thread. Windows begin at multiples of the stride and are clipped at the border.
struct PoolingShape {
    ImageShape in, out;
    Pool pool;
};

/// Where in its window a maximum stands: row · kernel + column, the first one in row order.
using PlaceInWindow = std::uint16_t;

/// Pools each window; NaN in a window gives NaN.
/// @param place  maximum: written, [channels × images × out places], channel by channel; average: not looked at
template <class T>
void pool_forward(const PoolingShape& shape, Planes<const T> x, int images, Planes<T> y, PlaceInWindow* place);

/// Computes the derivative of y when x moves along dx: a maximum follows the value at its place, an average all values.
template <class T>
void pool_tangent(const PoolingShape& shape, Planes<const T> dx, const PlaceInWindow* place, int images, Planes<T> dy);

/// Computes dx from dy; a maximum's gradient goes to its place alone, an average's to the whole clipped window.
template <class T>
void pool_backward(const PoolingShape& shape, Planes<const T> dy, const PlaceInWindow* place, int images, Planes<T> dx);

}   // namespace credence
