// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command/commands.h"

namespace CLI {
class App;
}

/// Adds what says how a run is saved on its way: --fresh and --checkpoint-every. @param run  written when the command line is parsed
void addCheckpointOptions(CLI::App& app, RunCommand& run);
