// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/bridge_options.h"

#include "command/figure_page.h"

#include <CLI/CLI.hpp>

CLI::App* addBridgeCommand(CLI::App& app, BridgeCommand& command)
{
    auto* sub = app.add_subcommand(
        "bridge",
        "Convert Gaussians over logits to Dirichlets with the Laplace Bridge, and compute uncertainty-aware top-k "
        "lists");
    sub->add_option(
        "FILE", command.file,
        "An .npz file (or a folder of .npy files) with mean [N x K], variance [N x K] or covariance [N x K x K], "
        "and optionally labels [N] and class_names [K]");
    sub->add_option(
           "--top-k", command.threshold,
           "Threshold T of the lists: a class is included while its 1 - T/2 quantile exceeds the T/2 quantile of "
           "the previous class (default: 0.05)")
        ->type_name("T");
    sub->add_option("--longest", command.longest, "Maximum number of classes in a list (default: all)")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    sub->add_option("--variant", command.variant,
                    "Preprocessing before the bridge: plain (default), conditioned, projected, conditioned_normalised, "
                    "projected_normalised")
        ->type_name("NAME");
    sub->add_option("--row", command.row, "Row whose marginals are drawn (default: 0)")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
    sub->add_option("--out", command.out,
                    "Folder for alpha.npy, top_k.csv, results.json and figures (default: write nothing)")
        ->type_name("DIR");
    sub->add_flag(
        "--compare-sampling", command.compareSampling,
        "Instead of a file: report how many samples a histogram needs to match the bridge, for the three published "
        "Gaussians or for --mu and --covariance");
    sub->add_option("--mu", command.mu, "With --compare-sampling: mean of the three logits")
        ->type_name("M1,M2,M3")
        ->delimiter(',');
    sub->add_option("--covariance", command.covariance,
                    "With --compare-sampling: covariance of the logits, 3 numbers (its diagonal) or 9")
        ->type_name("S11,…")
        ->delimiter(',');
    sub->add_option("--draws", command.draws, "With --compare-sampling: maximum number of samples (default: 100000)")
        ->type_name("N")
        ->check(CLI::Range(10L, 10'000'000L));
    addSizeInMm(*sub, command.size);
    sub->add_option("--threads", command.threads, "Threads")->type_name("N")->check(CLI::Range(1, 1024));
    return sub;
}
