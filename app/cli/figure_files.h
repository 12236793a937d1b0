// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/command_line.h"
#include "sweeps/sweep_results.h"

/// Writes a chart without a Study to a folder, named by its id: as csv and tex, and drawn as pdf,
/// svg and png.
void writeFigures(const credence::Chart& chart, const std::filesystem::path& folder, const DrawPlainFigure& draw,
                  const FigureSize& size);

/// Writes the figures of a sweep as pdf, svg and png with their numbers, and reports those that
/// failed.
/// @param draw  empty: write numbers only
/// @return  false: a signal arrived, and the remaining figures were skipped
bool writeSweepFigures(const credence::SweepResults& results, const credence::SweepFolder& folder, int threads,
                       const DrawPlainFigure& draw);
