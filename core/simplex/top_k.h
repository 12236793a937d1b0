// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simplex/dirichlet.h"

namespace credence {

/// Uncertainty-aware top-k (Hobbhahn 2020, Algorithm 1): the classes that cannot be distinguished
/// from the best one, each compared with the previous one.
struct TopK {
    std::vector<int> selected;   ///< class indices, largest α first, ties in class order; at least one
    std::vector<UnitPlace>
        left_previous;   ///< lower T/2 quantile of the previous class, at i = 2, 3, … up to the first failure
    std::vector<UnitPlace> right_current;   ///< upper 1 − T/2 quantile of class i
};
/// Sort α in descending order, select the first class; add class i while the upper 1 − T/2 quantile
/// of its Beta marginal exceeds (strictly) the lower T/2 quantile of class i − 1; stop at the first
/// failure. Overlap is with the previous class, so long chains are possible.
/// @param threshold  T in (0, 1); @throws Error otherwise
TopK uncertain_top_k(const Dirichlet& distribution, double threshold);

/// Returns only the selected classes, at a tenth of the cost: neighbours are compared by
/// lower_quantile_is_below_upper.
/// @param longest  maximum number of classes (Hobbhahn 2020, appendix D: 10); 0: no limit
std::vector<int> uncertain_top_k_list(const Dirichlet& distribution, double threshold, int longest = 0);

}   // namespace credence
