// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/function_ref.h"

namespace credence {

/// Returns ln ∫ exp(log_f(t)) dt over [from, to], with possibly infinite ends; −∞ if f is 0
/// throughout. Integrals are added in logarithms, so that neither 1e-300 nor e^−1e8 underflows:
/// adaptive Gauss–Kronrod (15, 31) halves the interval with the largest error until the remaining
/// error is 1e-11 of the total. For functions with one peak, of any sharpness, that decay at an
/// infinite end.
double log_integral(function_ref<double(double)> log_f, double from, double to);

}   // namespace credence
