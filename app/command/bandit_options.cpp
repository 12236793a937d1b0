// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/bandit_options.h"

#include "command/checkpoint_options.h"

#include <CLI/CLI.hpp>

CLI::App* addBanditCommand(CLI::App& app, BanditCommand& command)
{
    auto* bandit = app.add_subcommand(
        "bandit", "Agents that learn while they act: mushrooms to eat or to leave; regret over several seeds");
    auto* names = bandit->add_option(
        "BANDIT", command.bandits,
        "Ids of presets (see: credence bandit --list), or files of bandits in JSON; several are run into one folder");
    bandit
        ->add_option(
            "--out", command.out,
            "Folder for results.json, regret.csv, summary.csv and figures; courses that it has already are not run again (default: out/bandit)")
        ->type_name("DIR");
    bandit->add_option("--steps", command.steps, "Interactions of each course (default: the bandit's)")
        ->type_name("N")
        ->check(CLI::Range(1L, 1'000'000L));
    bandit->add_option("--seeds", command.seeds, "Courses of each agent (default: the bandit's)")
        ->type_name("N")
        ->check(CLI::Range(1, 1000));
    bandit->add_option("--set", command.assignments, "Change one setting of all of them, may be repeated")
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false);
    bandit
        ->add_option("--threads", command.threads,
                     "Threads (default: all of the machine; the numbers do not depend on it)")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
    addOverwriteOption(*bandit, command.overwrite);
    bandit->add_flag("--no-figures", command.noFigures, "Write no pictures, only numbers");
    bandit->add_flag("--list", command.list, "List the presets, instead")->excludes(names);
    return bandit;
}
