// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/double_well_options.h"

#include "command/figure_page.h"

#include <CLI/CLI.hpp>

CLI::App* addDoubleWellCommand(CLI::App& app, DoubleWellCommand& command)
{
    auto* sub = app.add_subcommand(
        "double-well",
        "Compare a chain over points with a chain over Gaussians on a double-well potential: numbers, density "
        "ratios and figures");
    sub->add_option("--steps", command.steps, "Steps of each chain (default: 5000)")
        ->type_name("N")
        ->check(CLI::Range(1L, 1'000'000L));
    sub->add_option("--step-size", command.options.step_size, "Step size (default: 0.02)")->type_name("E");
    sub->add_option("--momentum", command.options.momentum,
                    "Momentum: the fraction of velocity retained per step "
                    "(default: 0.5)")
        ->type_name("M");
    sub->add_option("--temperature", command.options.temperature, "Noise temperature (default: 1; 0: no noise)")
        ->type_name("T");
    sub->add_option("--start", command.options.start,
                    "Initial position of both chains (default: drawn from N(0, "
                    "1))")
        ->type_name("X");
    sub->add_option("--seed", command.options.seed, "Seed of all random numbers (default: 1)")->type_name("N");
    sub->add_option("--out", command.out, "Folder for figures, their data and states.csv (default: write nothing)")
        ->type_name("DIR");
    addSizeInMm(*sub, command.size);
    return sub;
}
