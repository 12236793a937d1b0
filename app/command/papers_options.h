// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command/commands.h"

namespace CLI {
class App;
}

/// `credence reproduce` and `credence papers`.
struct PapersCommands {
    ReproduceCommand reproduce;
    PapersCommand papers;
    const CLI::App *reproduceApp = nullptr, *papersApp = nullptr;
};
/// Adds both commands. @param commands  receives the options; must outlive the parsing
void addPapersCommands(CLI::App& app, PapersCommands& commands);
