// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/elementary.h"

// One name for both precisions, so that one template serves training in float (vectorised polynomials) and checks in double (libm).
namespace credence::lanes {

inline float  exp(float t) { return fast_exp(t); }
inline double exp(double t) { return std::exp(t); }
inline float  softplus(float t) { return fast_softplus(t); }
inline double softplus(double t) { return credence::softplus(t); }
inline float  sigmoid(float t) { return fast_sigmoid(t); }
inline double sigmoid(double t) { return credence::sigmoid(t); }

}  // namespace credence::lanes
