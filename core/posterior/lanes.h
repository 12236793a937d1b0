// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/elementary.h"

// Common names for both precisions, so that one template serves training in float (vectorised
// polynomials) and checks in double (libm).
namespace credence::lanes {

inline float exp(float t) { return fast_exp(t); }
inline double exp(double t) { return std::exp(t); }
inline float softplus(float t) { return fast_softplus(t); }
inline double softplus(double t) { return credence::softplus(t); }
inline float sigmoid(float t) { return fast_sigmoid(t); }
inline double sigmoid(double t) { return credence::sigmoid(t); }

/// softplus(t) and its derivative σ(t), from one exponential.
template <class T>
struct SoftplusSlope {
    T value, slope;
};
inline SoftplusSlope<float> softplus_slope(float t)
{
    const float z = fast_exp(-std::fabs(t));
    return {(t > 0.0f ? t : 0.0f) + fast_log1p_unit(z), (t < 0.0f ? z : 1.0f) / (1.0f + z)};
}
inline SoftplusSlope<double> softplus_slope(double t)
{
    const double z = std::exp(-std::fabs(t));
    return {(t > 0 ? t : 0) + std::log1p(z), (t < 0 ? z : 1) / (1 + z)};
}

}   // namespace credence::lanes
