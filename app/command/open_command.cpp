// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/commands.h"
#include "command/interrupt.h"
#include "command/plain_table.h"
#include "command/progress_line.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/parallel.h"
#include "outputs/outputs_file.h"
#include "results/own_files.h"
#include "results/results.h"
#include "views/scores.h"
#include "views/views.h"

#include <iostream>
#include <optional>

namespace {

using namespace credence;

/// Empty: interrupted.
std::optional<RunSnapshot> openedOutputs(const OpenCommand& command, std::stop_token stop)
{
    const auto own = open_outputs(command.file, stop);
    if (!own)
        return {};
    std::optional<OutputsFile> foreign;
    if (!command.other.empty() && !(foreign = open_outputs(command.other, stop)))
        return {};
    return moment_of_outputs(*own, foreign);
}

void printOpened(const RunSnapshot& opened, const WrittenResults& written)
{
    const auto& outputs = *opened.experiment->outputs;
    std::cout << outputs.own.name << ": " << outputs.numbers << ", " << opened.experiment->study.prediction.samples
              << " samples of " << outputs.own.n << " rows, " << opened.experiment->data->training.n_classes()
              << " classes";
    if (outputs.other.n > 0)
        std::cout << "; out of distribution: " << outputs.other.name << ", " << outputs.other.n << " rows";
    std::cout << "\n";
    for (const auto* part : {&outputs.own, &outputs.other})
        if (!part->note.empty())
            std::cout << part->note << '\n';
    std::cout << '\n' << scoresText(written) << findingsText(written);
    for (const auto& [id, table] : written.tables)
        std::cout << '\n' << view(id).title << '\n' << plainTable(table);
}

/// Adds the table of OOD scores if nothing is written.
void addForeignTable(const RunSnapshot& opened, const ViewOptions& options, std::stop_token stop,
                     WrittenResults& written)
{
    const auto& foreign = view("out_of_distribution");
    if (foreign.why_not(*opened.experiment))
        return;
    if (const auto chart = foreign.make(opened, options, stop); chart && chart->table)
        written.tables.emplace_back(foreign.id, *chart->table);
}

bool isFolderOfRun(const std::filesystem::path& file) { return is_file(file / "run.credence"); }

bool isOfOutputs(const std::filesystem::path& file)
{
    return file.extension() == ".npz" || file.extension() == ".npy" || (is_folder(file) && !isFolderOfRun(file));
}

/// The link that the window opens.
PictureLink pictureLink(const OpenCommand& command)
{
    const std::filesystem::path file = command.file;
    PictureLink link;
    if (isOfOutputs(file))
        link.run = std::filesystem::absolute(outputs_in_folder(file).value_or(file));
    else if (isFolderOfRun(file))
        link.run = std::filesystem::absolute(file / "run.credence");
    else if (file.extension() == ".credence")
        link.run = std::filesystem::absolute(file);
    else if (file.extension() == picture_link_suffix || is_picture_link(file))
        link = load_picture_link(file);
    else
        link.study = findStudy(command.file);
    if (!link.run.empty() && !is_file(link.run))
        throw Error(link.run.string() + ": no such file; expected a saved Credence run or predictions.");
    if (!command.view.empty())
        link.view = view(command.view).id;
    if (!command.quantity.empty())
        link.quantity = map_quantity_named(command.quantity);
    if (command.step)
        link.step = command.step;
    if (!command.input.empty() || command.row) {
        link.input = command.input;
        link.row   = command.row;
    }
    return link;
}

bool asksForWindow(const OpenCommand& command)
{
    return !command.view.empty() || command.step || !command.input.empty() || command.row || !command.quantity.empty();
}

void requireNothingOfScores(const OpenCommand& command)
{
    const std::pair<const char*, bool> given[] = {
        {"--other", !command.other.empty()}, {"--out", !command.out.empty()},    {"--longest", command.longest > 0},
        {"--overwrite", command.overwrite},  {"--no-figures", !command.figures}, {"--threads", command.threads > 0}};
    for (const auto& [option, there] : given)
        if (there)
            throw Error(std::string(option) + " is for scores of imported predictions, but " + command.file
                        + " opens the window: expected --view, --step, --input or --row, or no option.");
}

}   // namespace

int execute(const OpenCommand& command, const DrawPlainFigure& draw, const ShowWindow& window)
{
    if (asksForWindow(command) || !isOfOutputs(command.file)) {
        requireNothingOfScores(command);
        const auto link = pictureLink(command);
        if (!window)
            throw Error("This build has no window.");
        return window(link);
    }
    std::optional<RunSnapshot> opened;
    std::optional<OutputFolder> folder;
    WrittenResults written;
    bool interrupted = false;
    {
        ProgressLine line;
        const Interrupt interrupt;
        Threads threads(command.threads);
        line.show("reading " + command.file + " …");
        threads.run([&] { opened = openedOutputs(command, interrupt.token()); });
        if (opened)   // non-finite numbers are refused before anything is written; findings are kept
            threads.run([&] { scores(*opened, interrupt.token()); });
        if (opened && !command.out.empty() && !interrupt.requested()) {   // the file is known to be readable
            folder.emplace(command.out);
            require_own_files(folder->path(), files_of_outputs, command.overwrite);
        }
        FigureWriter writer;
        if (draw && command.figures)
            writer = [&](const Chart& chart, const std::filesystem::path& stem) {
                for (const char* suffix : {".pdf", ".svg", ".png"})
                    if (!interrupt.requested())
                        draw(chart, stem.string() + suffix, {});
            };
        if (opened && !interrupt.requested())
            threads.run([&] {
                const ProgressScope scope(
                    shareOn(line, folder ? "writing figures and data … current item" : "scores …"));
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
                  << (folder ? "; results so far are in " + folder->path().string() : std::string()) << ".\n";
        return exitCancelled;
    }
    printOpened(*opened, written);
    if (folder)
        std::cout << "\nWritten to " << folder->path().string() << '\n';
    return exitOk;
}
