// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/papers_options.h"

#include <CLI/CLI.hpp>

void addPapersCommands(CLI::App& app, PapersCommands& commands)
{
    auto& command   = commands.reproduce;
    auto* reproduce = app.add_subcommand(
        "reproduce", "Reproduce a table, figure or claim of the papers and compare it with the printed and our own "
                     "numbers");
    auto* ids = reproduce->add_option(
        "ID", command.entries,
        "Id of the result, for example P.table1.h100; P.table1 selects all ids that start with it (see: credence "
        "reproduce --list)");
    reproduce->add_flag("--quick", command.quick,
                        "Run a fast version: it shows that everything works but does not reproduce the printed "
                        "numbers");
    reproduce
        ->add_option("--out", command.out,
                     "Output folder; with several IDs one subfolder each (default: out/ID, or the sweep, "
                     "comparison or bandit that makes it)")
        ->type_name("DIR");
    reproduce->add_option("--seed", command.seed, "Seed to use instead of the entry's; sweeps have their own seeds")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
    reproduce->add_option("--threads", command.threads, "Number of threads (default: all; results do not depend on it)")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
    reproduce->add_flag("--no-figures", command.noFigures, "Write numbers only, no figures");
    reproduce->add_flag("--mix-builds", command.mixBuilds,
                        "Continue a run or sweep that another build of Credence started");
    reproduce->add_flag("--list", command.list, "List the IDs with their running times")->excludes(ids);
    commands.reproduceApp = reproduce;

    auto* papers = app.add_subcommand(
        "papers", "Print how many tables, figures and claims of the papers are reproduced, or write the page that "
                  "lists them");
    papers->add_option("--write", commands.papers.write, "Write the page as Markdown")->type_name("FILE");
    commands.papersApp = papers;
}
