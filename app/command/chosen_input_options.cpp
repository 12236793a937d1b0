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

void addLogitOptions(CLI::App& command, FigureCommand& figure)
{
    command
        .add_option(
            "--variant", figure.variant,
            "Of simplex, beta_marginals and list_lengths, what is done before the Laplace Bridge: plain, conditioned, projected (default), "
            "conditioned_normalised, projected_normalised")
        ->type_name("NAME");
    command
        .add_option("--longest", figure.longest,
                    "Of list_lengths and beta_marginals, no list has more classes (default: all)")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    command
        .add_option("--samples", figure.samples,
                    "Draws of the posterior that the view takes (default: prediction.samples of the run)")
        ->type_name("N")
        ->check(CLI::Range(1, 100000));
    command
        .add_option(
            "--logits", figure.logits,
            "Of simplex, beta_marginals and list_lengths, the Gaussian over the logits: linearisation (default of Laplace approximations) or draws (default of all others)")
        ->type_name("NAME");
}
