// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command/commands.h"

namespace CLI {
class App;
}

/// Adds `credence double-well`. @param command  receives the options; must outlive the parsing
CLI::App* addDoubleWellCommand(CLI::App& app, DoubleWellCommand& command);
