// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/papers_options.h"

#include <CLI/CLI.hpp>

void addPapersCommands(CLI::App& app, PapersCommands& commands)
{
    auto& command   = commands.reproduce;
    auto* reproduce = app.add_subcommand(
        "reproduce", "Make a table, figure or claim of the papers again, and set it beside the printed one and ours");
    auto* ids = reproduce->add_option(
        "ID", command.entries,
        "Which, for example P.table1.h100; P.table1 is all whose ids begin so (see: credence reproduce --list)");
    reproduce->add_flag("--quick", command.quick,
                        "The version that takes little time: it shows that everything works, not the printed numbers");
    reproduce
        ->add_option("--out", command.out,
                     "Folder for what is made; of several IDs one folder each in it (default: out/ and the ID, or the "
                     "sweep, comparison or bandit that makes it)")
        ->type_name("DIR");
    reproduce->add_option("--seed", command.seed, "Seed in place of the entry's own; sweeps have seeds of their own")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
    reproduce
        ->add_option("--threads", command.threads,
                     "Threads (default: all of the machine; the numbers do not depend on it)")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
    reproduce->add_flag("--no-figures", command.noFigures, "Write no pictures, only numbers");
    reproduce->add_flag("--mix-builds", command.mixBuilds,
                        "Continue a run or a sweep that another build of Credence began");
    reproduce->add_flag("--list", command.list, "List the IDs, and how long each takes, instead")->excludes(ids);
    commands.reproduceApp = reproduce;

    auto* papers = app.add_subcommand(
        "papers", "How far the tables, figures and claims of the papers are done; or the page that says it of each");
    papers->add_option("--write", commands.papers.write, "Write that page, in Markdown")->type_name("FILE");
    commands.papersApp = papers;
}
