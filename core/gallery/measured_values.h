// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gallery/gallery.h"
#include "sweeps/sweep_results.h"

#include <string>

namespace credence {

/// Returns a run's result for a printed value in the same format: as many decimals as printed,
/// times 100 if the value's name ends in "(%)". Empty: the value names no score, or the run does
/// not have it.
/// the run has none of this name.
std::string measured_text(const PrintedValue& value, const CellScores& scores);

/// The same for a sweep: the mean over the seeds of the cells that the value names, "0.80 ± 0.05 (3
/// seeds)". Also empty if the value does not name every axis except the seed, and if none of its
/// cells is done.
std::string measured_text(const PrintedValue& value, const SweepResults& results);

}   // namespace credence
