// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/likelihood.h"

#include <span>

namespace credence {

/// LikelihoodFamily::curvature_roots of many examples, in parallel.
/// @param outputs  [n × k]
/// @param roots    [columns × n × k], column by column
template <class T>
void output_curvature_roots(const Likelihood& likelihood, std::span<const T> outputs, int n, int k, std::span<T> roots);

}   // namespace credence
