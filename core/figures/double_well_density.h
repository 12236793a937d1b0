// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/double_well_walk.h"
#include "charts/chart.h"

namespace credence::double_well {

/// On one scale: exp(−U)/∫exp(−U) by quadrature, the long chain as histogram, the plain chain so far as histogram, and the mixture of all functionals so far,
/// each by its probability of the same bins over their width. That of the functionals is exact: no draws.
Chart density_chart(const Walk& walk, const LongChain& truth);

/// Mean, variance, share on the right, crossings and barrier of each as a table; what is not known yet is "–".
Chart numbers_chart(const Walk& walk, const LongChain& truth);

}   // namespace credence::double_well
