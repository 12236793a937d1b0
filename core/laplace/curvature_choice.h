// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/options.h"
#include "training/snapshot.h"

#include <cstddef>

namespace credence {

/// The first layer whose weights are uncertain, 0-based among the layers with weights, and the
/// index of its first weight in the flat weight vector.
int first_layer_of(const ParameterLayout& layout, CurvatureLayers layers);
std::size_t first_weight_of(const ParameterLayout& layout, CurvatureLayers layers);

/// True if the exact Hessian must be computed because it differs from the GGN. With learned noise
/// it always does, since that GGN takes the expectation over y. Otherwise the two agree for the
/// last layer, and their diagonals agree wherever the outputs are piecewise linear in each weight.
bool differs_from_ggn(const Model& model, const CurvatureOptions& options);

/// True if the full structure is truncated to the directions of largest curvature.
inline bool keeps_largest(const CurvatureOptions& options, std::size_t covered)
{
    return options.structure == CurvatureStructure::full && options.rank > 0
           && static_cast<std::size_t>(options.rank) < covered;
}

}   // namespace credence
