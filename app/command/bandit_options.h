// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command/commands.h"

namespace CLI {
class App;
}

/// Adds `credence bandit`. @param command  receives the options; must outlive the parsing
CLI::App* addBanditCommand(CLI::App& app, BanditCommand& command);
