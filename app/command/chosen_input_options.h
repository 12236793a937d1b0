// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

struct FigureCommand;
namespace CLI {
class App;
}

/// Which input the views of `credence figure` follow: --input, --row, --foreign-row or --picture; no two of them.
void addChosenInputOptions(CLI::App& command, FigureCommand& figure);
/// Which bridge, Gaussian over the logits, draws and lists a view takes.
void addLogitOptions(CLI::App& command, FigureCommand& figure);
