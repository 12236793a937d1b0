// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command/commands.h"

namespace CLI {
class App;
}

/// Adds --overwrite. @param overwrite  written when the command line is parsed
void addOverwriteOption(CLI::App& app, bool& overwrite);

/// Adds what says how a run is saved on its way: --fresh, --mix-builds, --overwrite and --checkpoint-every. @param run  written when the command line is parsed
void addCheckpointOptions(CLI::App& app, RunCommand& run);
