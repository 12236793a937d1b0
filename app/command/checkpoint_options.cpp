// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/checkpoint_options.h"

#include <CLI/CLI.hpp>

void addOverwriteOption(CLI::App& app, bool& overwrite)
{
    app.add_flag("--overwrite", overwrite,
                 "Replace files in the folder of --out that Credence did not write, which is refused otherwise");
}

void addCheckpointOptions(CLI::App& app, RunCommand& run)
{
    app.add_flag("--fresh", run.fresh, "Begin anew where an interrupted run of this study could go on");
    app.add_flag("--mix-builds", run.mixBuilds,
                 "Continue an interrupted run that another build of Credence began; results.json then names both");
    addOverwriteOption(app, run.overwrite);
    app.add_option("--checkpoint-every", run.checkpointEvery,
                   "Save the state of the run so often, in seconds, so that the same command goes on after a kill or a "
                   "cancel (default: 60; 0: never)")
        ->type_name("SECONDS")
        ->check(CLI::NonNegativeNumber);
}
