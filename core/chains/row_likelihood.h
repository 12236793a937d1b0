// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/likelihood.h"

#include <algorithm>
#include <cstddef>

namespace credence {

/// Workspace for `row_likelihood` with this stride, in numbers.
constexpr std::size_t row_likelihood_scratch(std::ptrdiff_t stride) { return 3 * static_cast<std::size_t>(stride); }

/// LikelihoodFamily::log_density with a gradient of 0 for padding rows.
/// @param targets  [padded] labels as numbers, or values
inline double row_likelihood(const Likelihood& likelihood, const UnitRows& at, const double* targets, double* scratch)
{
    const double sum = likelihood->log_density(at, targets, scratch);
    for (int k = 0; k < at.units; ++k)
        std::fill(at.outputs + k * at.stride + at.rows, at.outputs + k * at.stride + at.padded, 0.0);
    return sum;
}

}   // namespace credence
