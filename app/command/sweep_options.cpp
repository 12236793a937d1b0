// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/sweep_options.h"

#include "command/checkpoint_options.h"

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
    auto* cells =
        sweep
            ->add_option(
                "--cells", command.part,
                "Run the i-th of n parts of the cells, i from 1, and make no tables: for the tasks of any scheduler, which share one folder")
            ->type_name("i/n");
    auto* collect = sweep->add_flag(
        "--collect", command.collect,
        "Run nothing, unless with --cells: make the tables of the cells that are done, and say which are not");
    sweep->add_flag("--mix-builds", command.mixBuilds,
                    "Add cells to those that another build of Credence computed; provenance.json then names both");
    addOverwriteOption(*sweep, command.overwrite);
    sweep->add_flag("--no-figures", command.noFigures, "Write no pictures, only numbers");
    auto* slurm =
        sweep
            ->add_flag(
                "--slurm", command.slurm,
                "Submit the cells that are not done to Slurm, as a job array of one cell a task and a job that makes the tables; --threads are those of each task (default: 1), --jobs the tasks that run at once (default: as the cluster likes)")
            ->excludes(cells)
            ->excludes(collect);
    sweep
        ->add_option(
            "--slurm-option", command.slurmOptions,
            "Of --slurm: one more option of sbatch, for example --slurm-option=--time=01:00:00; may be repeated")
        ->type_name("OPTION")
        ->allow_extra_args(false)
        ->needs(slurm);
    sweep
        ->add_option(
            "--slurm-tasks", command.slurmTasks,
            "Of --slurm: so many tasks at most, with several cells each (default: as many as the cluster allows)")
        ->type_name("N")
        ->check(CLI::Range(1, 10000))
        ->needs(slurm);
    sweep
        ->add_flag("--write-only", command.writeOnly,
                   "Of --slurm: write the script and print how to submit it, submit nothing")
        ->needs(slurm);
    return sweep;
}
