// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command/command_line.h"

/// Writes a chart without a Study to a folder, named by its id: as csv and tex, and drawn as pdf,
/// svg and png.
void writeFigures(const credence::Chart& chart, const std::filesystem::path& folder, const DrawPlainFigure& draw,
                  const FigureSize& size);
