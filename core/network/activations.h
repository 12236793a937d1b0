// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/products.h"
#include "network/architecture.h"

#include <cstddef>

namespace credence {

/// y = f(t) elementwise, in place; NaN gives NaN.
///     relu: max(t, 0) · tanh · sigmoid: 1/(1+e^-t) · softplus: ln(1+e^t) · elu: t for t > 0, else e^t - 1 · identity
template <class T>
void activate(ActivationKind kind, T* values, std::size_t n);

/// gradient *= f'(t), written by the output y alone:
///     relu: [y > 0] · tanh: 1-y² · sigmoid: y(1-y) · softplus: 1-e^-y · elu: 1 for y > 0, else y+1
template <class T>
void multiply_by_derivative(ActivationKind kind, const T* outputs, T* gradient, std::size_t n);

/// The same on a tile of a row-major matrix with `width` columns; `bias` [width] is added before the activation.
template <class T>
void add_bias_and_activate(ActivationKind kind, T* values, const T* bias, int width, TileRange tile);
template <class T>
void multiply_by_derivative(ActivationKind kind, const T* outputs, T* gradient, int width, TileRange tile);

}  // namespace credence
