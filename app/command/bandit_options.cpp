// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/bandit_options.h"

#include "command/checkpoint_options.h"

#include <CLI/CLI.hpp>

CLI::App* addBanditCommand(CLI::App& app, BanditCommand& command)
{
    auto* bandit = app.add_subcommand(
        "bandit", "Train contextual bandit agents on the mushroom task and compare their regret over several seeds");
    auto* names = bandit->add_option(
        "BANDIT", command.bandits,
        "Preset ids (see: credence bandit --list) or JSON files; several agents share one output folder");
    bandit
        ->add_option(
            "--out", command.out,
            "Folder for results.json, regret.csv, summary.csv and figures; finished courses are reused (default: "
            "out/bandit)")
        ->type_name("DIR");
    bandit->add_option("--steps", command.steps, "Interactions in each course (default: as in the bandit file)")
        ->type_name("N")
        ->check(CLI::Range(1L, 1'000'000L));
    bandit->add_option("--seeds", command.seeds, "Courses per agent (default: as in the bandit file)")
        ->type_name("N")
        ->check(CLI::Range(1, 1000));
    bandit->add_option("--set", command.assignments, "Change one setting of all agents; can be repeated")
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false);
    bandit->add_option("--threads", command.threads, "Number of threads (default: all; results do not depend on it)")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
    addOverwriteOption(*bandit, command.overwrite);
    bandit->add_flag("--no-figures", command.noFigures, "Write numbers only, no figures");
    bandit->add_flag("--list", command.list, "List the presets and exit")->excludes(names);
    return bandit;
}
