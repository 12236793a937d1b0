// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/sweep_options.h"

#include <CLI/CLI.hpp>

CLI::App* addSweepCommand(CLI::App& app, SweepCommand& command)
{
    auto* sweep = app.add_subcommand(
        "sweep",
        "Run a study with many settings and seeds, and hold them against one another; goes on where it stopped");
    sweep
        ->add_option(
            "SWEEP", command.sweep,
            "A sweep's file, the folder where one was run, or the id of one that comes with the program (see: credence list --sweeps)")
        ->required();
    sweep
        ->add_option(
            "--out", command.out,
            "Folder for the cells and the tables; cells that are done there are not run again, and several processes may share it (default: out/ and the sweep's name)")
        ->type_name("DIR");
    sweep->add_option("--jobs", command.jobs, "Cells side by side (default: as many as threads)")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
    sweep
        ->add_option("--threads", command.threads,
                     "Threads of all jobs together (default: all of the machine; the numbers do not depend on it)")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
    sweep->add_option("--set", command.assignments, "Change one setting of every cell, may be repeated")
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false);
    sweep->add_flag("--quick", command.quick, "The quick version that the sweep names: fewer steps, fewer seeds");
    sweep
        ->add_option(
            "--cells", command.part,
            "Run the i-th of n parts of the cells, i from 1, and make no tables: for the tasks of any scheduler, which share one folder")
        ->type_name("i/n");
    sweep->add_flag(
        "--collect", command.collect,
        "Run nothing, unless with --cells: make the tables of the cells that are done, and say which are not");
    sweep->add_flag("--no-figures", command.noFigures, "Write no pictures, only numbers");
    return sweep;
}
