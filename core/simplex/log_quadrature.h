// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/function_ref.h"

namespace credence {

/// Returns ln ∫ exp(log_f(t)) dt over [from, to], either end of which may be infinite; −∞ if f is 0 throughout.
/// Integrals are added in logarithms, so that neither 1e-300 nor e^−1e8 is lost: adaptive Gauss–Kronrod (15, 31), which halves the piece of the largest
/// error until what is left of it is 1e-11 of the whole. For functions with one peak, of any sharpness, that fall off at an infinite end.
double log_integral(function_ref<double(double)> log_f, double from, double to);

}   // namespace credence
