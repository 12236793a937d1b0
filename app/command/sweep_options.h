// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command/commands.h"

namespace CLI {
class App;
}

/// The words of `credence sweep`. @param command  takes what is given; must outlive the parsing
CLI::App* addSweepCommand(CLI::App& app, SweepCommand& command);
