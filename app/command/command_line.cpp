// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/command_line.h"

#include "command/bandit_options.h"
#include "command/bridge_options.h"
#include "command/checkpoint_options.h"
#include "command/chosen_input_options.h"
#include "command/commands.h"
#include "command/double_well_options.h"
#include "command/figure_page.h"
#include "command/number_checks.h"
#include "command/pages_options.h"
#include "command/papers_options.h"
#include "command/sweep_options.h"
#include "foundation/build_info.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/system_reason.h"
#include "foundation/text.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <iostream>
#include <new>
#include <sys/resource.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace {

/// Libraries end the program if they cannot open a file, so this checks first that more files can
/// be opened.
void requireFiles()
{
    constexpr rlim_t wanted      = 64;
    constexpr std::size_t needed = 10;
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < wanted && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = std::min(wanted, limit.rlim_max);
        ::setrlimit(RLIMIT_NOFILE, &limit);
    }
    std::vector<int> open;
    while (open.size() < needed) {
        const int file = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
        if (file < 0)
            break;
        open.push_back(file);
    }
    for (const int file : open)
        ::close(file);
    if (open.size() < needed)
        throw std::runtime_error("Only " + std::to_string(open.size()) + " more files can be opened ("
                                 + credence::system_reason(EMFILE) + "), at least " + std::to_string(needed)
                                 + " are needed: raise the limit (ulimit -n).");
}

/// The message with long arguments shortened in the middle.
std::string withShortArguments(std::string message, int argc, char** argv)
{
    constexpr std::size_t longest = 60;   // bytes
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        for (const auto typed : {argument, argument.substr(argument.find('=') + 1)})   // npos + 1 is 0
            if (typed.size() > longest)
                for (auto at = message.find(typed); at != message.npos; at = message.find(typed, at)) {
                    const std::string shown = credence::one_line(typed, longest);
                    message.replace(at, typed.size(), shown);
                    at += shown.size();
                }
    }
    return message;
}

template <class Action>
int guarded(Action action)
{
    try {
        requireFiles();
        const int status = action();
        if (std::cout.flush())
            return status;
        std::cerr << "credence: Standard output could not be written completely.\n";
    } catch (const credence::DiskError& e) {   // not the caller's mistake
        std::cerr << "credence: " << e.what() << '\n';
    } catch (const credence::Error& e) {
        std::cerr << "credence: " << e.what() << '\n';
        return exitBadInput;
    } catch (const std::bad_alloc&) {
        std::cerr << "credence: Out of memory.\n";
    } catch (const std::filesystem::filesystem_error& e) {
        std::cerr << "credence: "
                  << credence::Error(e.path1().string() + ": this path cannot be used ("
                                     + credence::system_reason(e.code().value()) + ").")
                         .what()
                  << '\n';
        return exitBadInput;
    } catch (const std::system_error& e) {
        if (e.code() == std::errc::resource_unavailable_try_again)
            std::cerr << "credence: No thread could be started (" << credence::system_reason(e.code().value())
                      << "): the system or container limit is reached (ulimit -u).\n";
        else
            std::cerr << "credence: " << credence::one_line(e.what(), 1000) << '\n';
    } catch (const std::exception& e) {
        std::cerr << "credence: " << credence::one_line(e.what(), 1000) << '\n';
    }
    return exitFailed;
}

}   // namespace

namespace {

/// Handles a call without a command. @throws credence::Error for more than one file or a missing
/// one
int openWindow(const WindowCommand& window, const CommandTools& tools)
{
    if (window.files.size() > 1) {
        std::string names;
        for (const auto& file : window.files)
            names += (names.empty() ? "" : ", ") + file;
        throw credence::Error("found " + std::to_string(window.files.size()) + " files (" + names
                              + "), expected at most one: start credence once per file.");
    }
    std::error_code code;
    if (!window.files.empty() && !std::filesystem::exists(window.files.front(), code))
        throw credence::Error(window.files.front()
                              + ": there is no such file, and no command of this name (see: credence --help).");
    return tools.openWindow(window);
}

}   // namespace

int runCommandLine(int argc, char** argv, const CommandTools& tools)
{
    CLI::App app{
        "Explore Bayesian neural networks. Without a command, Credence opens its window with the given study or "
        "figure.",
        "credence"};
    WindowCommand window;
    app.add_option("--theme", window.theme,
                   "Window colours: light or dark (default: last used, initially as the desktop)")
        ->option_text("light|dark")
        ->check(CLI::IsMember({"light", "dark"}));
    app.add_option("FILE", window.files, "Study, saved run, link or figure to open in the window")
        ->group("");   // shown in the footer
    app.set_version_flag("--version", "Credence " + build_text(credence::this_build()),
                         "Version, commit, instruction set and compiler of this build");
    app.require_subcommand(0, 1);
    app.footer("credence [FILE]           open the window\n"
               "credence run two_moons_mean_field --set training.steps=2000 --out out/try\n"
               "Exit status: 0 done, 1 failed, 2 bad input, 130 cancelled.");

    RunCommand run;
    auto* runCommand = app.add_subcommand("run", "Train a study and write its results, figures and data");
    runCommand->add_option("STUDY", run.study, "Study file, or the id or name of a preset (see: credence list)")
        ->required();
    runCommand->add_option("--out", run.out, "Folder for the results (default: out/NAME-OF-STUDY)")->type_name("DIR");
    runCommand->add_option("--seed", run.seed, "Seed to use instead of the study's")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
    runCommand->add_option("--threads", run.threads, "Number of threads (default: all; results do not depend on it)")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
    runCommand->add_option("--set", run.assignments, "Change one setting; can be repeated")
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false);
    bool noFigures = false;
    runCommand->add_flag("--no-figures", noFigures, "Write numbers only, no figures");
    runCommand->add_flag(
        "--save-outputs", run.saveOutputs,
        "Also write outputs.npz: logits and class probabilities of the test rows, sample by sample, for NumPy and credence open");
    runCommand->add_flag("--save-weights", run.saveWeights,
                         "Also write weights.npz: mean and standard deviation of every weight");
    addCheckpointOptions(*runCommand, run);

    ListCommand list;
    auto* listCommand = app.add_subcommand("list", "List the presets and the runs in a folder, or the views");
    auto* listFolder  = listCommand->add_option("FOLDER", list.folder, "Folder of runs");
    auto* listViews   = listCommand->add_flag("--views", list.views, "List the views that figure can draw")
                          ->excludes(listFolder);
    auto* listComparisons = listCommand
                                ->add_flag("--comparisons", list.comparisons,
                                           "List the comparisons that compare can "
                                           "run")
                                ->excludes(listFolder)
                                ->excludes(listViews);
    listCommand->add_flag("--sweeps", list.sweeps, "List the built-in sweeps")
        ->excludes(listFolder)
        ->excludes(listViews)
        ->excludes(listComparisons);

    CompareCommand compare;
    auto* compareCommand = app.add_subcommand(
        "compare", "Run every method on one problem and compare each with the reference posterior (NUTS)");
    compareCommand
        ->add_option("ID", compare.comparison,
                     "Id of the comparison, for example two_moons_truth (see: credence list --comparisons)")
        ->required();
    compareCommand
        ->add_option("--out", compare.out,
                     "Folder for table, figures and runs; finished runs are reused (default: out/ID)")
        ->type_name("DIR");
    compareCommand
        ->add_option("--methods", compare.methods,
                     "Run only these methods in addition to the reference "
                     "posterior (default: all)")
        ->type_name("M1,M2,…")
        ->delimiter(',');
    compareCommand->add_option("--set", compare.assignments, "Change one setting of every study; can be repeated")
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false);
    compareCommand->add_option("--threads", compare.threads, "Threads")->type_name("N")->check(CLI::Range(1, 1024));
    bool noPictures = false;
    compareCommand->add_flag("--no-figures", noPictures, "Write numbers only, no figures");

    FigureCommand figure;
    auto* figureCommand = app.add_subcommand("figure",
                                             "Draw one view of a run to a file, or compare several runs in one figure");
    figureCommand
        ->add_option(
            "RUN", figure.runs,
            "Run folder, run.credence, or predictions as accepted by open; several for a view that compares runs, "
            "such as decision_map or compare_truth")
        ->required();
    figureCommand->add_option("--view", figure.view, "View to draw, for example decision_map")
        ->required()
        ->type_name("NAME");
    figureCommand->add_option("--to", figure.to, "File to write: pdf, svg, png, csv or tex")
        ->required()
        ->type_name("FILE");
    addChosenInputOptions(*figureCommand, figure);
    figureCommand
        ->add_option(
            "--quantity", figure.quantity,
            "For decision_map: class_probability, predictive_entropy (default), aleatoric, epistemic, certainty; "
            "for overlay_training_curves: error (default), loss, kl")
        ->type_name("NAME");
    figureCommand->add_flag("--log", figure.logarithmic, "For overlay_training_curves: use a logarithmic axis");
    addLogitOptions(*figureCommand, figure);
    figureCommand
        ->add_option(
            "--epsilon", figure.epsilon,
            "For attack_input and attack_arrows: attack strength in the units of the data; for images 1 is the "
            "step from black to white (default: 0.1)")
        ->type_name("E")
        ->check(CLI::NonNegativeNumber);
    figureCommand
        ->add_option("--attack", figure.attack,
                     "For attack views: fast_gradient_sign (default), projected_gradient, random_signs")
        ->type_name("NAME");
    figureCommand
        ->add_option("--gradient", figure.gradient,
                     "For attack views, the loss to increase: one_draw, mean_loss, mean_predictive (default)")
        ->type_name("NAME");
    figureCommand
        ->add_option("--rows", figure.rows,
                     "For views of the whole test set: number of evenly spaced rows to use (default: all; 1000 for "
                     "attack_curve)")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    figureCommand
        ->add_option("--prune", figure.prune.share,
                     "Fraction of weights, 0 to 1, set to zero before the figure is made (default: 0)")
        ->type_name("SHARE")
        ->check(CLI::Range(0.0, 1.0));
    figureCommand
        ->add_option(
            "--prune-by", figure.pruneBy,
            "Weights to prune first: signal_to_noise (smallest |mean|/sd, default), magnitude (smallest |mean|), "
            "spread (largest sd)")
        ->type_name("NAME");
    figureCommand->add_flag("--prune-each-layer", figure.prune.per_layer,
                            "Prune that fraction of each layer separately instead of all layers together");
    bool keepBiases = false;
    figureCommand->add_flag("--prune-keep-biases", keepBiases, "Prune weights only, not biases");
    addFigurePageOptions(*figureCommand, figure);
    figureCommand->add_option("--step", figure.step, "Use the recorded step nearest to this one (default: the last)")
        ->type_name("N");
    figureCommand->add_option("--threads", figure.threads, "Threads")->type_name("N")->check(CLI::Range(1, 1024));

    OpenCommand open;
    auto* openCommand = app.add_subcommand(
        "open",
        "Open a study, run or link in the window, or score imported predictions: scores, tables and figures as for "
        "own runs");
    openCommand
        ->add_option(
            "FILE", open.file,
            "Study, preset id, run.credence, run folder or link to open in the window. Imported predictions: an "
            ".npz file (or a folder of .npy files) with probabilities or logits [S x N x K], or mean [N x K] and "
            "variance or covariance of the logits; optionally labels [N], class_names [K], images [N x H x W (x "
            "C)], inputs [N x d]")
        ->required();
    openCommand
        ->add_option(
            "--view", open.view,
            "Window: view to show first, for example boxplots (see: credence list --views); also opens predictions "
            "in the window")
        ->type_name("NAME");
    openCommand
        ->add_option("--quantity", open.quantity,
                     "Window: decision map of class_probability, predictive_entropy (default), aleatoric, epistemic or "
                     "certainty")
        ->type_name("NAME");
    openCommand
        ->add_option("--step", open.step,
                     "Window: show the recorded step nearest to this one; a study is trained first (default: the last)")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
    auto* openInput = openCommand->add_option("--input", open.input, "Window: input to show, in the units of the data")
                          ->type_name("X1,X2,…")
                          ->delimiter(',')
                          ->allow_extra_args(false);
    openCommand->add_option("--row", open.row, "Window: input to show by its test-set row, instead of --input")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber)
        ->excludes(openInput);
    openCommand->add_option("--other", open.other, "The same kind of file for out-of-distribution inputs")
        ->type_name("FILE2");
    openCommand
        ->add_option("--out", open.out,
                     "Folder for results.json, tables and figures (default: print the scores, write nothing)")
        ->type_name("DIR");
    addOverwriteOption(*openCommand, open.overwrite);
    bool noPicturesOfOutputs = false;
    openCommand
        ->add_option("--longest", open.longest,
                     "Maximum number of classes in an uncertainty-aware top-k list (default: all)")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    openCommand->add_flag("--no-figures", noPicturesOfOutputs, "Write numbers only, no figures");
    openCommand->add_option("--threads", open.threads, "Threads")->type_name("N")->check(CLI::Range(1, 1024));

    BridgeCommand bridge;
    const auto* bridgeCommand = addBridgeCommand(app, bridge);
    DoubleWellCommand well;
    const auto* wellCommand = addDoubleWellCommand(app, well);
    PapersCommands papers;
    addPapersCommands(app, papers);
    LinterCommand linter;
    auto* linterCommand = app.add_subcommand("linter",
                                             "List the linter's rules, or write the page that documents them");
    linterCommand->add_option("--write", linter.write, "Write the page as Markdown")->type_name("FILE");
    PagesCommands pages;
    addPagesCommands(app, pages);
    BanditCommand bandit;
    const auto* banditCommand = addBanditCommand(app, bandit);
    SweepCommand sweep;
    const auto* sweepCommand = addSweepCommand(app, sweep);
    auto* dataCommand        = app.add_subcommand("data", "List, download or import image data sets");
    dataCommand->require_subcommand(1);
    auto* dataListCommand = dataCommand->add_subcommand("list", "List the data sets in the catalogue and those on "
                                                                "this computer");
    DataFetchCommand fetch;
    auto* dataFetchCommand = dataCommand->add_subcommand(
        "fetch", "Download a data set to your data folder and verify the hash of every file");
    dataFetchCommand
        ->add_option("NAME", fetch.name,
                     "Name of the data set, for example mnist (see: credence data "
                     "list)")
        ->required();
    DataImportCommand import;
    auto* dataImportCommand = dataCommand->add_subcommand("import", "Create a data set from local files");
    dataImportCommand
        ->add_option("NAME", import.order.name,
                     "Name of the new data set, or of one in the catalogue, whose files must then have the right "
                     "hashes")
        ->required();
    dataImportCommand
        ->add_option(
            "PATH", import.order.path,
            "Folder with the four MNIST files, the CIFAR-10 binary files (or the .tar.gz), the GTSRB folder, an "
            ".npz file with x_train, y_train, x_test and y_test, or a folder with one subfolder of images per class")
        ->required();
    dataImportCommand->add_option("--title", import.order.title, "Displayed title (default: the name)")
        ->type_name("TEXT");
    dataImportCommand
        ->add_option("--size", import.order.pictures.size,
                     "Images: rows and columns (default: their size if all are equal and at most 64, else 32)")
        ->type_name("N")
        ->check(CLI::Range(4, 512));
    dataImportCommand->add_option("--channels", import.colour, "Images: grey or colour (default: grey if all are)")
        ->type_name("grey|colour")
        ->check(CLI::IsMember({"grey", "colour"}));
    dataImportCommand
        ->add_option("--test-share", import.order.pictures.test_share,
                     "Images without train and test folders: fraction of each class used for testing (default: 0.2)")
        ->type_name("SHARE")
        ->check(CLI::Range(0.01, 0.9));
    dataImportCommand->add_option("--seed", import.order.pictures.seed, "Images: seed of that split (default: 1)")
        ->type_name("N");

    addNumberChecks(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() == 0)   // --help, --version
            return guarded([&] { return app.exit(e, std::cout, std::cerr); });
        std::cerr << "credence: " << credence::one_line(withShortArguments(e.what(), argc, argv), 1000)
                  << " (see: credence --help)\n";
        return exitBadInput;
    }
    if (const auto commands = app.get_subcommands(); commands.empty())
        return guarded([&] { return openWindow(window, tools); });
    else if (!window.theme.empty() || !window.files.empty()) {
        std::cerr << "credence: found " << (window.theme.empty() ? window.files.front() : std::string("--theme"))
                  << " before the command " << commands.front()->get_name()
                  << ", expected the command first (see: credence --help)\n";
        return exitBadInput;
    }
    run.figures               = !noFigures;
    compare.figures           = !noPictures;
    figure.prune.biases       = !keepBiases;
    open.figures              = !noPicturesOfOutputs;
    constexpr int mostOfALoop = 64;   // see core/foundation/parallel.cpp
    for (const int threads :
         {run.threads, compare.threads, figure.threads, open.threads, bridge.threads, bandit.threads,
          papers.reproduce.threads})   // a sweep divides its threads among several cells
        if (threads > mostOfALoop)
            std::cerr << "credence: --threads is " << threads << ", but one computation uses at most " << mostOfALoop
                      << " threads; the others stay idle.\n";
    if (*runCommand)
        return guarded([&] { return execute(run, tools.draw); });
    if (*listCommand)
        return guarded([&] { return execute(list); });
    if (*compareCommand)
        return guarded([&] { return execute(compare, tools.draw); });
    if (*figureCommand)
        return guarded([&] { return execute(figure, tools.draw, tools.drawPlain, tools.import); });
    if (*openCommand)
        return guarded([&] { return execute(open, tools.drawPlain, tools.window); });
    if (*bridgeCommand)
        return guarded([&] { return execute(bridge, tools.drawPlain); });
    if (*wellCommand)
        return guarded([&] { return execute(well, tools.drawPlain); });
    if (*banditCommand)
        return guarded([&] { return execute(bandit, tools.drawPlain); });
    if (*papers.reproduceApp)
        return guarded([&] { return execute(papers.reproduce, tools); });
    if (*papers.papersApp)
        return guarded([&] { return execute(papers.papers); });
    if (*linterCommand)
        return guarded([&] { return execute(linter); });
    if (*pages.manualApp)
        return guarded([&] { return execute(pages.manual, app); });
    if (*pages.completionApp)
        return guarded([&] { return execute(pages.completion, app); });
    if (*sweepCommand)
        return guarded([&] { return execute(sweep, tools.drawPlain); });
    if (*dataListCommand)
        return guarded([&] { return execute(DataListCommand{}); });
    if (*dataFetchCommand)
        return guarded([&] { return execute(fetch, tools.fetch); });
    if (*dataImportCommand)
        return guarded([&] { return execute(import, tools.import()); });
    return exitBadInput;
}
