// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command/commands.h"

namespace CLI {
class App;
}

/// The words of `credence double-well`. @param command  takes what is given; must outlive the parsing
CLI::App* addDoubleWellCommand(CLI::App& app, DoubleWellCommand& command);
