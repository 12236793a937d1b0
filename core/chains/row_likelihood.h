// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/likelihood.h"

#include <cstddef>

namespace credence {

/// Outputs of several rows, unit by unit: output k of row j at outputs[k * stride + j].
struct UnitRows {
    double* outputs;
    std::ptrdiff_t stride;
    int units;
    int rows;     ///< the actual rows
    int padded;   ///< rows that are computed: whole vectors
};

/// Workspace for `row_likelihood` with this stride, in numbers.
constexpr std::size_t row_likelihood_scratch(std::ptrdiff_t stride) { return 3 * static_cast<std::size_t>(stride); }

/// Returns Σ ln p(y_j | outputs), nats (the negative of negative_log_likelihood), and overwrites
/// the outputs with its gradient: 0 for padding rows.
/// @param targets  [padded] labels as numbers, or values
double row_likelihood(const Likelihood& likelihood, const UnitRows& at, const double* targets, double* scratch);

}   // namespace credence
