// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command/command_line.h"
#include "sweeps/sweep_results.h"

/// Writes the figures of a sweep, as pdf, svg and png, and their numbers into its folder, and says which could not be made.
/// @param draw  empty: no pictures, only numbers
/// @return  false: a signal came, and the rest was left
bool writeSweepFigures(const credence::SweepResults& results, const credence::SweepFolder& folder, int threads,
                       const DrawPlainFigure& draw);
