// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/figure_files.h"
#include "cli/plain_table.h"
#include "cli/progress_line.h"

#include "chains/double_well.h"
#include "foundation/files.h"
#include "foundation/progress.h"
#include "results/own_files.h"
#include "views/double_well.h"

#include <cmath>
#include <iostream>
#include <memory>
#include <optional>

namespace {

using namespace credence;
namespace well = credence::double_well;

/// credence double-well
struct DoubleWellCommand {
    well::ChainPairOptions options;
    long steps = 5000;
    int seeds  = 1;                   ///< above 1: only numbers over the seeds, without figures
    std::string out;                  ///< folder; empty: nothing is written
    bool overwrite = false;           ///< replace a states.csv that Credence did not write
    std::optional<FigureSize> size;   ///< empty: default of the figure
};

/// Every state of both chains, starting with the initial one.
Table stateTable(const well::ChainPair& pair)
{
    Table table{.columns = {{"step"}, {"theta"}, {"mu"}, {"s"}}, .rows = {}};
    for (std::size_t t = 0; t < pair.points().size(); ++t)
        table.rows.push_back({static_cast<long>(t), pair.points()[t], pair.gaussians()[t].mu, pair.gaussians()[t].sd});
    return table;
}

/// Prints the table and the caption that `compute` returns. It can be interrupted, and writes its figures into the
/// folder itself. @param compute  Table and caption (*)(ProgressLine&, const OutputFolder*); null: no folder
template <class Compute>
int printed(const DoubleWellCommand& command, const Compute& compute)
{
    std::optional<OutputFolder> folder;   // checked before the computation starts
    if (!command.out.empty()) {
        folder.emplace(command.out);
        require_own_files(folder->path(), files_of_double_well, command.overwrite);
    }
    try {
        ProgressLine line;
        const Interrupt interrupt;
        const StopScope scope(interrupt.token());
        const auto [numbers, caption] = compute(line, folder ? &*folder : nullptr);
        line.wipe();
        std::cout << plainTable(*numbers.table) << '\n' << caption << '\n';
        if (folder)
            std::cout << "\nWritten to " << command.out << '\n';
    } catch (const Stopped&) {
        std::cerr << "credence: Cancelled; nothing was written.\n";
        return exitCancelled;
    }
    return exitOk;
}

/// Numbers over several seeds, without figures.
int executeSeeds(const DoubleWellCommand& command, const DrawPlainFigure& draw)
{
    return printed(command, [&](ProgressLine& line, const OutputFolder* folder) {
        const ProgressScope progress(
            [&](double share) { line.show("chains " + std::to_string(std::lround(100 * share)) + " %"); });
        const Chart numbers = well::numbers_chart(
            well::chains_over_seeds(command.options, command.steps, command.seeds));
        if (folder)
            writeFigures(numbers, folder->path(), draw, command.size.value_or(FigureSize{}));
        return std::pair(numbers, numbers.caption);
    });
}

int execute(const DoubleWellCommand& command, const DrawPlainFigure& draw)
{
    if (command.seeds > 1)
        return executeSeeds(command, draw);
    well::ChainPair pair(command.options);
    return printed(command, [&](ProgressLine& line, const OutputFolder* folder) {
        line.show("long chain …");
        const auto reference = well::long_chain({.seed = command.options.seed});
        line.show("chains …");
        pair.advance(command.steps);
        line.show("density ratios …");
        const auto ratios   = well::density_ratios(well::ratio_samples(pair, reference));
        const Chart numbers = well::numbers_chart(pair, reference), ratio = to_chart(ratios);
        if (folder) {
            line.show("writing figures …");
            const FigureSize wide  = command.size.value_or(FigureSize{200, 90, 300}),
                             usual = command.size.value_or(FigureSize{});
            for (const auto& chart : {well::chain_pair_chart(pair), ratio})
                writeFigures(chart, folder->path(), draw, wide);
            for (const auto& chart : {well::density_chart(pair, reference), well::trace_chart(pair), numbers})
                writeFigures(chart, folder->path(), draw, usual);
            write_whole(folder->path() / "states.csv", to_csv(stateTable(pair)));
        }
        return std::pair(numbers, ratio.caption);
    });
}

}   // namespace

Action addDoubleWell(CLI::App& app, const CommandTools& tools)
{
    const auto command = std::make_shared<DoubleWellCommand>();
    addValue(app, "--steps", "N", command->steps, "Steps of each chain (default: 5000)")
        ->check(CLI::Range(1L, 1'000'000L));
    addValue(app, "--step-size", "E", command->options.step_size, "Step size (default: 0.02)");
    addValue(app, "--momentum", "M", command->options.momentum,
             "Momentum: the fraction of velocity retained per step (default: 0.5)");
    addValue(app, "--temperature", "T", command->options.temperature, "Noise temperature (default: 1; 0: no noise)");
    addValue(app, "--start", "X", command->options.start,
             "Initial position of both chains (default: drawn from N(0, 1))");
    addValue(app, "--seed", "N", command->options.seed, "Seed of all random numbers (default: 1)");
    addValue(app, "--seeds", "N", command->seeds,
             "Number of seeds, from --seed on; with more than one, print medians and quartiles over the chains")
        ->check(CLI::Range(1, 10'000));
    addValue(app, "--out", "DIR", command->out,
             "Folder for figures, their data and states.csv (default: write nothing)");
    addOverwrite(app, command->overwrite);
    addSizeInMm(app, command->size);
    return [command, &tools] { return execute(*command, tools.drawPlain); };
}
