// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/likelihood.h"

#include <cstddef>

namespace credence {

/// Outputs of some rows, unit by unit: output k of row j at outputs[k * stride + j].
struct UnitRows {
    double* outputs;
    std::ptrdiff_t stride;
    int units;
    int rows;     ///< that exist
    int padded;   ///< that are computed: whole vectors
};

/// How many numbers of working memory `row_likelihood` wants for a stride.
constexpr std::size_t row_likelihood_scratch(std::ptrdiff_t stride) { return 3 * static_cast<std::size_t>(stride); }

/// Returns Σ ln p(y_j | outputs), nats (the negative of negative_log_likelihood), and overwrites
/// the outputs by its gradient: 0 for rows that do not exist.
/// @param targets  [padded] labels as numbers, or values
double row_likelihood(const Likelihood& likelihood, const UnitRows& at, const double* targets, double* scratch);

}   // namespace credence
