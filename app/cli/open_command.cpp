// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/plain_table.h"
#include "cli/progress_line.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/parallel.h"
#include "outputs/outputs_file.h"
#include "results/own_files.h"
#include "results/results.h"
#include "views/scores.h"
#include "views/views.h"

#include <iostream>
#include <memory>
#include <optional>

namespace {

using namespace credence;

/// credence open
struct OpenCommand {
    std::string
        file;   ///< .npz, or a folder of .npy; for the window also a Study, a saved run or its folder, or a link
    std::string other;        ///< imported OOD predictions; empty: none
    std::string out;          ///< folder; empty: nothing is written
    bool overwrite = false;   ///< replace files that the program did not write
    int longest    = 0;       ///< maximum classes in an uncertainty-aware top-k list; 0: all
    int threads    = 0;
    bool noFigures = false;
    std::string view;                 ///< window: view to show first; empty: as in the link, or the predictions
    std::optional<long> step;         ///< window: nearest recorded step
    std::vector<double> input;        ///< window: selected input in the units of the data
    std::optional<std::size_t> row;   ///< window: selected input by its test-set row
    std::string quantity;             ///< window: quantity of the decision map; empty: last used
};

/// Empty: interrupted.
std::optional<RunSnapshot> openedOutputs(const OpenCommand& command, std::stop_token stop)
{
    const auto own = open_outputs(command.file, stop);
    if (!own)
        return {};
    std::optional<OutputsFile> ood;
    if (!command.other.empty() && !(ood = open_outputs(command.other, stop)))
        return {};
    return snapshot_of_outputs(*own, ood);
}

void printOpened(const RunSnapshot& opened, const WrittenResults& written)
{
    const auto& outputs = *opened.experiment->outputs;
    const auto samples  = opened.experiment->study.prediction.samples;
    std::cout << outputs.own.name << ": " << outputs.numbers << ", " << samples
              << (samples == 1 ? " sample of " : " samples of ") << outputs.own.n
              << (outputs.own.n == 1 ? " row, " : " rows, ") << opened.experiment->data->training.n_classes()
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
void addOodTable(const RunSnapshot& opened, const ViewOptions& options, std::stop_token stop, WrittenResults& written)
{
    const auto& ood = view("out_of_distribution");
    if (ood.why_not(*opened.experiment))
        return;
    if (const auto chart = ood.make(opened, options, stop); chart && chart->table)
        written.tables.emplace_back(ood.id, *chart->table);
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
        {"--other", !command.other.empty()}, {"--out", !command.out.empty()},     {"--longest", command.longest > 0},
        {"--overwrite", command.overwrite},  {"--no-figures", command.noFigures}, {"--threads", command.threads > 0}};
    for (const auto& [option, there] : given)
        if (there)
            throw Error(std::string(option) + " is for scores of imported predictions, but " + command.file
                        + " opens the window: expected --view, --step, --input or --row, or no option.");
}

/// Writes the figures of imported predictions until a signal arrives.
FigureWriter outputsFigureWriter(const DrawPlainFigure& draw, const Interrupt& interrupt)
{
    return [&](const Chart& chart, const std::filesystem::path& stem) {
        for (const char* suffix : {".pdf", ".svg", ".png"})
            if (!interrupt.requested())
                draw(chart, stem.string() + suffix, {});
    };
}

/// Scores imported predictions.
int scoreOutputs(const OpenCommand& command, const DrawPlainFigure& draw)
{
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
        if (opened && !interrupt.requested())
            threads.run([&] {
                const ProgressScope scope(
                    shareOn(line, folder ? "writing figures and data … current item" : "scores …"));
                ViewOptions options;
                options.top_k.longest = command.longest;
                if (folder)
                    written = write_results_of_outputs(*opened, folder->path(), options,
                                                       draw && !command.noFigures ? outputsFigureWriter(draw, interrupt)
                                                                                  : FigureWriter(),
                                                       interrupt.token());
                else {
                    written.scores   = scores(*opened, interrupt.token());
                    written.findings = lint({.run = *opened, .options = options}, interrupt.token());
                    addOodTable(*opened, options, interrupt.token(), written);
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

/// Scores imported predictions, unless a view, step or input is given; everything else opens in the
/// window.
int execute(const OpenCommand& command, const DrawPlainFigure& draw, const ShowWindow& window)
{
    if (!asksForWindow(command) && isOfOutputs(command.file))
        return scoreOutputs(command, draw);
    requireNothingOfScores(command);
    const auto link = pictureLink(command);
    if (!window)
        throw Error("This build has no window.");
    return window(link);
}

void addWindowSelection(CLI::App& app, OpenCommand& command)
{
    addValue(app, "--view", "NAME", command.view,
             "Window: view to show first, for example boxplots (see: credence list --views); also opens predictions "
             "in the window");
    addValue(app, "--quantity", "NAME", command.quantity,
             "Window: decision map of class_probability, predictive_entropy (default), aleatoric, epistemic or "
             "certainty");
    addValue(app, "--step", "N", command.step,
             "Window: show the recorded step nearest to this one; a Study is trained first (default: the last)")
        ->check(CLI::NonNegativeNumber);
    auto* input = addValue(app, "--input", "X1,X2,…", command.input, "Window: input to show, in the units of the data")
                      ->delimiter(',')
                      ->allow_extra_args(false);
    addValue(app, "--row", "N", command.row, "Window: input to show by its test-set row, instead of --input")
        ->check(CLI::NonNegativeNumber)
        ->excludes(input);
}

}   // namespace

Action addOpen(CLI::App& app, const CommandTools& tools)
{
    const auto command = std::make_shared<OpenCommand>();
    app.add_option(
           "FILE", command->file,
           "Study, preset id, run.credence, run folder or link to open in the window. Imported predictions: an "
           ".npz file (or a folder of .npy files) with probabilities or logits [S x N x K], or mean [N x K] and "
           "variance or covariance of the logits; optionally labels [N], class_names [K], images [N x H x W (x "
           "C)], inputs [N x d]")
        ->required();
    addWindowSelection(app, *command);
    addValue(app, "--other", "FILE2", command->other, "The same kind of file for out-of-distribution inputs");
    addValue(app, "--out", "DIR", command->out,
             "Folder for results.json, tables and figures (default: print the scores, write nothing)");
    addOverwrite(app, command->overwrite);
    addValue(app, "--longest", "N", command->longest,
             "Maximum number of classes in an uncertainty-aware top-k list (default: all)")
        ->check(counts());
    addNoFigures(app, command->noFigures);
    addThreads(app, command->threads);
    return [command, &tools] { return execute(*command, tools.drawPlain, tools.window); };
}
