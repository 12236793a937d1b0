// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gallery/gallery.h"
#include "sweeps/sweep_results.h"

#include <string>

namespace credence {

/// Returns what a run got for a printed value, as it is to stand beside it: as many decimals as are printed, times 100 where the value's name ends in "(%)". Empty: the value names no score, or
/// the run has none of this name.
std::string measured_text(const PrintedValue& value, const CellScores& scores);

/// The same of a sweep: the mean over the seeds of the cells that the value names, "0.80 ± 0.05 (3 seeds)". Empty also where it leaves open which value of an axis other than the seed is meant,
/// and where no such cell is done.
std::string measured_text(const PrintedValue& value, const SweepResults& results);

}   // namespace credence
