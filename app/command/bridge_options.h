// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command/commands.h"

namespace CLI {
class App;
}

/// Adds `credence bridge`. @param command  receives the options; must outlive the parsing
CLI::App* addBridgeCommand(CLI::App& app, BridgeCommand& command);
