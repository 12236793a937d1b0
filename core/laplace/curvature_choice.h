// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/curvature_options.h"
#include "training/snapshot.h"

#include <cstddef>

namespace credence {

/// The first layer whose weights are uncertain, 0-based among those with weights, and where they begin in the flat vector.
int first_layer_of(const ParameterLayout& layout, CurvatureLayers layers);
std::size_t first_weight_of(const ParameterLayout& layout, CurvatureLayers layers);

/// Says whether the exact Hessian must be computed, where the GGN is something else. Their diagonals are the same where the outputs are piecewise linear in each weight, and with
/// them all of the last layer, but not under a learned noise, whose GGN takes the mean over y.
bool differs_from_ggn(const Model& model, const CurvatureOptions& options);

/// Says whether only the largest directions of the full structure are wanted.
inline bool keeps_largest(const CurvatureOptions& options, std::size_t covered)
{
    return options.structure == CurvatureStructure::full && options.rank > 0
           && static_cast<std::size_t>(options.rank) < covered;
}

}   // namespace credence
