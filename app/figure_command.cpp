// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "foundation/error.h"
#include "study/results.h"

#include <algorithm>
#include <cstdlib>

namespace {

using namespace credence;

std::size_t snapshotNearest(const KeptRun& run, long step)
{
    if (run.snapshots.empty() || step < 0)
        return run.snapshots.empty() ? 0 : run.snapshots.size() - 1;
    const auto distance = [&](const auto& snapshot) { return std::labs(snapshot->point.step - step); };
    const auto nearest  = std::min_element(run.snapshots.begin(), run.snapshots.end(), [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
    return static_cast<std::size_t>(nearest - run.snapshots.begin());
}

void requireInput(const std::vector<double>& input, const Experiment& experiment)
{
    const std::size_t expected = experiment.data->training.n_features;
    if (!input.empty() && input.size() != expected)
        throw Error("--input has " + std::to_string(input.size()) + " numbers, expected " + std::to_string(expected) + ", one for each input of the data.");
}

void writeFigure(const Chart& chart, const Study& study, const std::filesystem::path& file, const DrawFigure& draw)
{
    const std::string suffix = file.extension().string();
    if (suffix == ".csv")
        write_whole(file, to_csv(data_table(chart), study_comments(study)));
    else if (suffix == ".tex")
        write_whole(file, to_latex(chart, study_comments(study)));
    else if ((suffix == ".pdf" || suffix == ".svg" || suffix == ".png") && draw)
        draw(chart, study, file);
    else
        throw Error(file.string() + ": the suffix is \"" + suffix + "\", expected .pdf, .svg, .png, .csv or .tex.");
}

}  // namespace

int execute(const FigureCommand& command, const DrawFigure& draw)
{
    const View& wanted = view(command.view);
    std::filesystem::path file = command.run;
    if (std::filesystem::is_directory(file))
        file /= "run.credence";
    const KeptRun run = load_run(file);

    Threads threads(command.threads);
    threads.run([&] {
        const RunMoment moment = moment_of(run, snapshotNearest(run, command.step));
        requireInput(command.input, *moment.experiment);
        if (!wanted.applies(*moment.experiment))
            throw Error("The view " + wanted.id + " does not apply to this run: " + wanted.help);
        ViewOptions options;
        options.input     = command.input;
        const Chart chart = wanted.make(moment, options, {});
        if (!chart.message.empty())
            throw Error(chart.message);
        writeFigure(chart, run.study, command.to, draw);
    });
    return exitOk;
}
