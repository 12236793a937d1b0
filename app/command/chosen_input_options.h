// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

struct FigureCommand;
namespace CLI {
class App;
}

/// Adds the mutually exclusive options for the selected input: --input, --row, --foreign-row,
/// --picture.
void addChosenInputOptions(CLI::App& command, FigureCommand& figure);
/// Adds the options for Laplace Bridge variant, source of the logits, samples and list lengths.
void addLogitOptions(CLI::App& command, FigureCommand& figure);
