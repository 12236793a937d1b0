// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "runs/experiment.h"

#include <stop_token>

namespace credence {

/// The posterior of what a run predicts at the rows of the table that the Study names (prediction.points): one line for each row and class, the law of the class
/// probability over draws, or for each row of a regression, the law of the function's value in the target's units, without noise.
/// Columns row and output (both from 0; the class), mean, sd (divisor S − 1), q05, q25, q50, q75, q95 (type 7, Hyndman and Fan 1996); for sets of draws by chains also
/// mcse (of the mean), ess_bulk, ess_tail, rhat, empty where they are not defined (Vehtari, Gelman, Simpson, Carpenter and Bürkner 2021).
/// Sets of draws are used whole, each draw once; other posteriors by the Study's number of draws.
/// @return  empty: stopped
/// @throws Error that names the file, its line and column
std::optional<Table> posterior_at_points(const RunMoment& end, const std::stop_token& stop = {});

}   // namespace credence
