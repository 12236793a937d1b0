// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/likelihood.h"

#include <span>

namespace credence {

inline int curvature_columns(const Likelihood& likelihood, int n_outputs)
{
    return likelihood->curvature_columns(n_outputs);
}

/// LikelihoodFamily::curvature_roots of many examples, in parallel.
/// @param outputs  [n × k]
/// @param roots    [columns × n × k], column by column
template <class T>
void output_curvature_roots(const Likelihood& likelihood, std::span<const T> outputs, int n, int k, std::span<T> roots);

inline void output_hessian(const Likelihood& likelihood, std::span<const double> outputs, double target,
                           std::span<double> hessian)
{
    likelihood->hessian(outputs, target, hessian);
}

}   // namespace credence
