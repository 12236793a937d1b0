// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "runs/experiment.h"

#include <stop_token>

namespace credence {

/// The posterior of predictions at the rows of the Study's table prediction.points: one line per
/// row and class with the distribution of the class probability over samples, or per row of a
/// regression with the distribution of the function's value in the target's units, without noise.
/// Columns row and output (both from 0; the class), mean, sd (divisor S − 1), q05, q25, q50, q75,
/// q95 (type 7, Hyndman and Fan 1996); for draws of chains also
/// mcse (of the mean), ess_bulk, ess_tail, rhat, empty if undefined (Vehtari, Gelman, Simpson,
/// Carpenter and Bürkner 2021).
/// Sets of draws are used completely, each draw once; other posteriors with the Study's number of
/// samples.
/// @return  empty: stopped
/// @throws Error that names the file, its line and column
std::optional<Table> posterior_at_points(const RunSnapshot& end, const std::stop_token& stop = {});

}   // namespace credence
