// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/double_well_walk.h"
#include "charts/chart.h"

namespace credence::double_well {

/// On one scale: exp(−U)/∫exp(−U) by quadrature, histograms of the long chain and of the plain
/// chain so far, and the mixture of all functional states so far, as bin probabilities divided by
/// bin width. The mixture is exact: it needs no draws.
Chart density_chart(const Walk& walk, const LongChain& truth);

/// Mean, variance, share on the right, crossings and barrier of each as a table; unknown values are
/// "–".
Chart numbers_chart(const Walk& walk, const LongChain& truth);

}   // namespace credence::double_well
