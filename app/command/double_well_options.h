// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command/commands.h"

#include <vector>

namespace CLI {
class App;
}

/// The words of `credence double-well`. @param command, size  take what is given (width and height of the figures in mm, or nothing); must outlive the parsing
CLI::App* addDoubleWellCommand(CLI::App& app, DoubleWellCommand& command, std::vector<double>& size);
