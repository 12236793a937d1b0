// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/commands.h"
#include "command/interrupt.h"
#include "command/plain_table.h"
#include "command/progress_line.h"
#include "foundation/output_folder.h"
#include "foundation/parallel.h"
#include "outputs/opened_outputs.h"
#include "results/results.h"
#include "views/scores_table.h"
#include "views/views.h"

#include <iostream>
#include <optional>

namespace {

using namespace credence;

/// Empty: interrupted.
std::optional<RunMoment> openedOutputs(const OpenCommand& command, std::stop_token stop)
{
    const auto own = open_outputs(command.file, stop);
    if (!own)
        return {};
    std::optional<OutputsFile> foreign;
    if (!command.other.empty() && !(foreign = open_outputs(command.other, stop)))
        return {};
    return moment_of_outputs(*own, foreign);
}

void printOpened(const RunMoment& opened, const WrittenResults& written)
{
    const auto& outputs = *opened.experiment->outputs;
    std::cout << outputs.own.name << ": " << outputs.numbers << ", " << opened.experiment->study.prediction.samples
              << " draws of " << outputs.own.n << " rows, " << opened.experiment->data->training.n_classes()
              << " classes";
    if (outputs.other.n > 0)
        std::cout << "; foreign: " << outputs.other.name << ", " << outputs.other.n << " rows";
    std::cout << "\n\n";
    std::cout << scoresText(written) << findingsText(written);
    for (const auto& [id, table] : written.tables)
        std::cout << '\n' << view(id).title << '\n' << plainTable(table);
}

/// What is said of foreign data where nothing is written.
void addForeignTable(const RunMoment& opened, const ViewOptions& options, std::stop_token stop, WrittenResults& written)
{
    const auto& foreign = view("out_of_distribution");
    if (foreign.why_not(*opened.experiment))
        return;
    if (const auto chart = foreign.make(opened, options, stop); chart && chart->table)
        written.tables.emplace_back(foreign.id, *chart->table);
}

}   // namespace

int execute(const OpenCommand& command, const DrawPlainFigure& draw)
{
    std::optional<RunMoment> opened;
    std::optional<OutputFolder> folder;
    WrittenResults written;
    bool interrupted = false;
    {
        ProgressLine line;
        const Interrupt interrupt;
        Threads threads(command.threads);
        line.show("reading " + command.file + " …");
        threads.run([&] { opened = openedOutputs(command, interrupt.token()); });
        if (opened && !command.out.empty())
            folder.emplace(command.out);   // made when it is known that the file can be read
        FigureWriter writer;
        if (draw && command.figures)
            writer = [&](const Chart& chart, const std::filesystem::path& stem) {
                for (const char* suffix : {".pdf", ".svg", ".png"})
                    if (!interrupt.requested())
                        draw(chart, stem.string() + suffix, {});
            };
        if (opened)
            threads.run([&] {
                const ProgressScope scope(shareOn(line, folder ? "writing figures and data … this one" : "scores …"));
                ViewOptions options;
                options.top_k_longest = command.longest;
                if (folder)
                    written = write_results_of_outputs(*opened, folder->path(), options, writer, interrupt.token());
                else {
                    written.scores   = scores(*opened, interrupt.token());
                    written.findings = lint({.run = *opened, .options = options}, interrupt.token());
                    addForeignTable(*opened, options, interrupt.token(), written);
                }
            });
        interrupted = interrupt.requested();
    }
    if (!opened || interrupted) {
        std::cerr << "credence: Cancelled"
                  << (folder ? "; what was made until then is in " + folder->path().string() : std::string()) << ".\n";
        return exitCancelled;
    }
    printOpened(*opened, written);
    if (folder)
        std::cout << "\nWritten to " << folder->path().string() << '\n';
    return exitOk;
}
