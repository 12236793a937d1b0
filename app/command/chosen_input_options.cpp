// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/chosen_input_options.h"

#include "command/commands.h"

#include <CLI/CLI.hpp>

void addChosenInputOptions(CLI::App& command, FigureCommand& figure)
{
    auto* input = command.add_option("--input", figure.input, "Input to show, in the units of the data")
                      ->type_name("X1,X2,…")
                      ->delimiter(',');
    auto* row = command
                    .add_option("--row", figure.row,
                                "Input to show by its test-set row, instead of --input (default: 0)")
                    ->type_name("N")
                    ->check(CLI::NonNegativeNumber)
                    ->excludes(input);
    auto* foreign = command
                        .add_option("--foreign-row", figure.foreignRow,
                                    "Input to show by its row in the out-of-distribution data, instead of --row")
                        ->type_name("N")
                        ->check(CLI::NonNegativeNumber)
                        ->excludes(input)
                        ->excludes(row);
    auto* picture =
        command
            .add_option(
                "--picture", figure.picture,
                "Image file as the input to show, instead of --row: resized to the training images, and inverted "
                "if its border is light and theirs is dark, or vice versa")
            ->type_name("FILE")
            ->excludes(input)
            ->excludes(row)
            ->excludes(foreign);
    command.add_option("--invert", figure.invert, "Invert that image: yes or no (default: decided by its border)")
        ->type_name("yes|no")
        ->check(CLI::IsMember({"yes", "no"}))
        ->needs(picture);
}

void addLogitOptions(CLI::App& command, FigureCommand& figure)
{
    command
        .add_option("--variant", figure.variant,
                    "For simplex, beta_marginals and list_lengths: preprocessing before the Laplace Bridge: plain, "
                    "conditioned, projected (default), conditioned_normalised, projected_normalised")
        ->type_name("NAME");
    command
        .add_option("--longest", figure.longest,
                    "For list_lengths and beta_marginals: maximum number of classes in a list (default: all)")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    command
        .add_option("--samples", figure.samples,
                    "Posterior samples used by the view (default: prediction.samples of the run)")
        ->type_name("N")
        ->check(CLI::Range(1, 100000));
    command
        .add_option(
            "--logits", figure.logits,
            "For simplex, beta_marginals and list_lengths: source of the Gaussian over the logits: linearisation "
            "(default for Laplace approximations) or draws (default otherwise)")
        ->type_name("NAME");
}
