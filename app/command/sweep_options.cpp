// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/sweep_options.h"

#include "command/checkpoint_options.h"

#include <CLI/CLI.hpp>

CLI::App* addSweepCommand(CLI::App& app, SweepCommand& command)
{
    auto* sweep = app.add_subcommand(
        "sweep",
        "Run a study over a grid of settings and seeds and compare the results; an interrupted sweep continues");
    sweep
        ->add_option("SWEEP", command.sweep,
                     "Sweep file, folder of an earlier sweep, or id of a built-in sweep (see: credence list --sweeps)")
        ->required();
    sweep
        ->add_option(
            "--out", command.out,
            "Folder for cells and tables; finished cells are reused, and several processes can share it (default: "
            "out/NAME-OF-SWEEP)")
        ->type_name("DIR");
    sweep->add_option("--jobs", command.jobs, "Cells to run in parallel (default: number of threads)")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
    sweep
        ->add_option("--threads", command.threads,
                     "Total threads of all jobs (default: all; results do not depend on it)")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
    sweep->add_option("--set", command.assignments, "Change one setting of every cell; can be repeated")
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false);
    sweep->add_flag("--quick", command.quick, "Run the sweep's quick version: fewer steps and seeds");
    auto* cells =
        sweep
            ->add_option(
                "--cells", command.part,
                "Run part i of n of the cells, i from 1, without tables: for the tasks of any scheduler that share "
                "one folder")
            ->type_name("i/n");
    auto* collect = sweep->add_flag(
        "--collect", command.collect,
        "Make the tables of finished cells and list the missing ones; runs nothing unless used with --cells");
    sweep->add_flag("--mix-builds", command.mixBuilds,
                    "Add cells to those of another build of Credence; provenance.json then names both builds");
    addOverwriteOption(*sweep, command.overwrite);
    sweep->add_flag("--no-figures", command.noFigures, "Write numbers only, no figures");
    auto* slurm =
        sweep
            ->add_flag(
                "--slurm", command.slurm,
                "Submit the missing cells to Slurm as a job array with one cell per task, and a job that makes the "
                "tables; --threads is per task (default: 1), --jobs limits concurrent tasks (default: no limit)")
            ->excludes(cells)
            ->excludes(collect);
    sweep
        ->add_option(
            "--slurm-option", command.slurmOptions,
            "With --slurm: additional sbatch option, for example --slurm-option=--time=01:00:00; can be repeated")
        ->type_name("OPTION")
        ->allow_extra_args(false)
        ->needs(slurm);
    sweep
        ->add_option("--slurm-tasks", command.slurmTasks,
                     "With --slurm: maximum number of tasks, each with several cells (default: as the cluster allows)")
        ->type_name("N")
        ->check(CLI::Range(1, 10000))
        ->needs(slurm);
    sweep
        ->add_flag("--write-only", command.writeOnly,
                   "With --slurm: write the script and print how to submit it, but do not submit")
        ->needs(slurm);
    return sweep;
}
