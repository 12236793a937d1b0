// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/checkpoint_options.h"

#include <CLI/CLI.hpp>

void addOverwriteOption(CLI::App& app, bool& overwrite)
{
    app.add_flag("--overwrite", overwrite, "Replace files in the --out folder even if Credence did not write them");
}

void addCheckpointOptions(CLI::App& app, RunCommand& run)
{
    app.add_flag("--fresh", run.fresh, "Start over instead of continuing an interrupted run of this study");
    app.add_flag("--mix-builds", run.mixBuilds,
                 "Continue an interrupted run that another build of Credence started; results.json then names both "
                 "builds");
    addOverwriteOption(app, run.overwrite);
    app.add_option("--checkpoint-every", run.checkpointEvery,
                   "Seconds between checkpoints; after a kill or cancel the same command continues from the last "
                   "one (default: 60; 0: never)")
        ->type_name("SECONDS")
        ->check(CLI::NonNegativeNumber);
}
