// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/checkpoint_options.h"

#include <CLI/CLI.hpp>

void addCheckpointOptions(CLI::App& app, RunCommand& run)
{
    app.add_flag("--fresh", run.fresh, "Begin anew where an interrupted run of this study could go on");
    app.add_option("--checkpoint-every", run.checkpointEvery,
                   "Save the state of the run so often, in seconds, so that the same command goes on after a kill or a "
                   "cancel (default: 60; 0: never)")
        ->type_name("SECONDS")
        ->check(CLI::NonNegativeNumber);
}
