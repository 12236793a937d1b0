// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/chosen_input_options.h"

#include "command/commands.h"

#include <CLI/CLI.hpp>

void addChosenInputOptions(CLI::App& command, FigureCommand& figure)
{
    auto* input = command.add_option("--input", figure.input, "The chosen input, in the units of the data")
                      ->type_name("X1,X2,…")
                      ->delimiter(',');
    auto* row = command
                    .add_option("--row", figure.row,
                                "The chosen input by its row in the test set, in place of --input (default: 0)")
                    ->type_name("N")
                    ->check(CLI::NonNegativeNumber)
                    ->excludes(input);
    auto* foreign = command
                        .add_option("--foreign-row", figure.foreignRow,
                                    "The chosen input by its row in the foreign data, in place of --row")
                        ->type_name("N")
                        ->check(CLI::NonNegativeNumber)
                        ->excludes(input)
                        ->excludes(row);
    auto* picture =
        command
            .add_option(
                "--picture", figure.picture,
                "A picture of your own as the chosen input, in place of --row: brought to the size of the training images, and inverted if "
                "its border is light and theirs is dark, or the other way round")
            ->type_name("FILE")
            ->excludes(input)
            ->excludes(row)
            ->excludes(foreign);
    command.add_option("--invert", figure.invert, "Of that picture: yes or no, in place of what its border says")
        ->type_name("yes|no")
        ->check(CLI::IsMember({"yes", "no"}))
        ->needs(picture);
}
