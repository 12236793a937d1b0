// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command/commands.h"

namespace CLI {
class App;
}

/// Adds `credence sweep`. @param command  receives the options; must outlive the parsing
CLI::App* addSweepCommand(CLI::App& app, SweepCommand& command);
