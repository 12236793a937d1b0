// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command/commands.h"

namespace CLI {
class App;
}

/// Adds --overwrite. @param overwrite  set when the command line is parsed
void addOverwriteOption(CLI::App& app, bool& overwrite);

/// Adds the checkpoint options --fresh, --mix-builds, --overwrite and --checkpoint-every. @param
/// run  set when the command line is parsed
void addCheckpointOptions(CLI::App& app, RunCommand& run);
