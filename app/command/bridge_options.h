// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command/commands.h"

namespace CLI {
class App;
}

/// The words of `credence bridge`. @param command  takes what is given; must outlive the parsing
CLI::App* addBridgeCommand(CLI::App& app, BridgeCommand& command);
