// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/architecture.h"
#include "network/planes.h"

namespace credence {

/// Local response normalisation of one plane [height × width]:
///     y = x s^-β,   s = 1 + (α / size²) Σ x² over the size × size values around, zeros beyond the border.
/// @param scratch  [2 × height × width]
template <class T>
void normalise(const ResponseNorm& norm, int height, int width, const T* x, T* y, T* scratch);

/// The derivative of y when x moves along dx:   dy = dx s^-β - (2 α β / size²) x s^(-β-1) Σ x dx   over the values around.
/// @param scratch  [4 × height × width]
template <class T>
void normalise_tangent(const ResponseNorm& norm, int height, int width, const T* x, const T* dx, T* dy, T* scratch);

/// Its transpose:   dx = dy s^-β - (2 α β / size²) x Σ dy x s^(-β-1)   over the values around.
/// @param scratch  [4 × height × width]
template <class T>
void normalise_backward(const ResponseNorm& norm, int height, int width, const T* x, const T* dy, T* dx, T* scratch);

}  // namespace credence
