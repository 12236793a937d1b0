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
#include "foundation/one_line.h"
#include "foundation/system_reason.h"
#include "foundation/write_whole.h"

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

/// Libraries end the program where they cannot open a file of their own, so that it is asked here whether some more are allowed.
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

template <class Action>
int guarded(Action action)
{
    try {
        requireFiles();
        const int status = action();
        if (std::cout.flush())
            return status;
        std::cerr << "credence: Standard output cannot be written to its end.\n";
    } catch (const credence::DiskError& e) {   // no mistake of the caller's
        std::cerr << "credence: " << e.what() << '\n';
    } catch (const credence::Error& e) {
        std::cerr << "credence: " << e.what() << '\n';
        return exitBadInput;
    } catch (const std::bad_alloc&) {
        std::cerr << "credence: There is not enough memory for this.\n";
    } catch (const std::filesystem::filesystem_error& e) {
        std::cerr << "credence: "
                  << credence::Error(e.path1().string() + ": this path cannot be used ("
                                     + credence::system_reason(e.code().value()) + ").")
                         .what()
                  << '\n';
        return exitBadInput;
    } catch (const std::system_error& e) {
        if (e.code() == std::errc::resource_unavailable_try_again)
            std::cerr << "credence: No thread can be started (" << credence::system_reason(e.code().value())
                      << "): a limit of this system or container allows no more (ulimit -u).\n";
        else
            std::cerr << "credence: " << credence::one_line(e.what(), 1000) << '\n';
    } catch (const std::exception& e) {
        std::cerr << "credence: " << credence::one_line(e.what(), 1000) << '\n';
    }
    return exitFailed;
}

}   // namespace

namespace {

/// The call without a command. @throws credence::Error for more than one file, and for one that does not exist
int openWindow(const WindowCommand& window, const CommandTools& tools)
{
    if (window.files.size() > 1) {
        std::string names;
        for (const auto& file : window.files)
            names += (names.empty() ? "" : ", ") + file;
        throw credence::Error("found " + std::to_string(window.files.size()) + " files (" + names
                              + "), expected one at most: start credence once for each file.");
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
        "Credence explores Bayesian neural networks. Without a command it opens its window, with the study or figure named, if any.",
        "credence"};
    WindowCommand window;
    app.add_option("--theme", window.theme,
                   "Colours of the window: light or dark; else as remembered, at first those of the desktop")
        ->option_text("light|dark")
        ->check(CLI::IsMember({"light", "dark"}));
    app.add_option("FILE", window.files, "Study, saved run, link or figure to open in the window")
        ->group("");   // the footer shows it
    app.set_version_flag("--version", "Credence " + build_text(credence::this_build()),
                         "Version, commit, instruction set and compiler of this build");
    app.require_subcommand(0, 1);
    app.footer("credence [FILE]           open the window\n"
               "credence run two_moons_mean_field --set training.steps=2000 --out out/try\n"
               "Exit status: 0 done, 1 failed, 2 bad input, 130 cancelled.");

    RunCommand run;
    auto* runCommand = app.add_subcommand("run", "Train a study; write its results, figures and data");
    runCommand->add_option("STUDY", run.study, "A study's file, or the id or name of a preset (see: credence list)")
        ->required();
    runCommand->add_option("--out", run.out, "Folder for the results (default: out/ and the study's name)")
        ->type_name("DIR");
    runCommand->add_option("--seed", run.seed, "Seed in place of the study's")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
    runCommand
        ->add_option("--threads", run.threads, "Threads (default: all of the machine; the numbers do not depend on it)")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
    runCommand->add_option("--set", run.assignments, "Change one setting, may be repeated")
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false);
    bool noFigures = false;
    runCommand->add_flag("--no-figures", noFigures, "Write no pictures, only numbers");
    runCommand->add_flag(
        "--save-outputs", run.saveOutputs,
        "Write outputs.npz too: the draws of the class probabilities of the test rows, for NumPy and for credence open");
    runCommand->add_flag("--save-weights", run.saveWeights,
                         "Write weights.npz too: mean and standard deviation of every weight");
    addCheckpointOptions(*runCommand, run);

    ListCommand list;
    auto* listCommand = app.add_subcommand("list", "List the presets, and the runs in a folder; or the views");
    auto* listFolder  = listCommand->add_option("FOLDER", list.folder, "Folder with runs");
    auto* listViews   = listCommand->add_flag("--views", list.views, "List the views that figure can draw, instead")
                          ->excludes(listFolder);
    auto* listComparisons = listCommand
                                ->add_flag("--comparisons", list.comparisons, "List what compare can run, instead")
                                ->excludes(listFolder)
                                ->excludes(listViews);
    listCommand->add_flag("--sweeps", list.sweeps, "List the sweeps that come with the program, instead")
        ->excludes(listFolder)
        ->excludes(listViews)
        ->excludes(listComparisons);

    CompareCommand compare;
    auto* compareCommand = app.add_subcommand(
        "compare",
        "Run every method on one problem and hold each against the true posterior, for which chains of NUTS stand");
    compareCommand
        ->add_option("ID", compare.comparison,
                     "Which comparison, for example two_moons_truth (see: credence list --comparisons)")
        ->required();
    compareCommand
        ->add_option(
            "--out", compare.out,
            "Folder for table, figures and runs; runs that it has already are not made again (default: out/ID)")
        ->type_name("DIR");
    compareCommand->add_option("--methods", compare.methods, "These methods only, beside the truth (default: all)")
        ->type_name("M1,M2,…")
        ->delimiter(',');
    compareCommand->add_option("--set", compare.assignments, "Change one setting of all the studies, may be repeated")
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false);
    compareCommand->add_option("--threads", compare.threads, "Threads")->type_name("N")->check(CLI::Range(1, 1024));
    bool noPictures = false;
    compareCommand->add_flag("--no-figures", noPictures, "Write no pictures, only numbers");

    FigureCommand figure;
    auto* figureCommand = app.add_subcommand(
        "figure", "Draw one view of a run into a file, or compare several runs in one figure");
    figureCommand
        ->add_option(
            "RUN", figure.runs,
            "The folder of a run, its run.credence, or outputs as open takes them; several for a view that compares, such as decision_map or compare_truth")
        ->required();
    figureCommand->add_option("--view", figure.view, "Which view, for example decision_map")
        ->required()
        ->type_name("NAME");
    figureCommand->add_option("--to", figure.to, "File to write: pdf, svg, png, csv or tex")
        ->required()
        ->type_name("FILE");
    addChosenInputOptions(*figureCommand, figure);
    figureCommand
        ->add_option(
            "--quantity", figure.quantity,
            "Of the decision map: class_probability, predictive_entropy (default), aleatoric, epistemic, certainty; of overlay_training_curves: error (default), loss, kl")
        ->type_name("NAME");
    figureCommand->add_flag("--log", figure.logarithmic, "Of overlay_training_curves: a logarithmic axis");
    addLogitOptions(*figureCommand, figure);
    figureCommand
        ->add_option(
            "--epsilon", figure.epsilon,
            "Of attack_input and attack_arrows, the strength in the units of the data; of images 1 is the step from black to white (default: 0.1)")
        ->type_name("E")
        ->check(CLI::NonNegativeNumber);
    figureCommand
        ->add_option("--attack", figure.attack,
                     "Of the views of attacks: fast_gradient_sign (default), projected_gradient, random_signs")
        ->type_name("NAME");
    figureCommand
        ->add_option("--gradient", figure.gradient,
                     "Of the same views, the loss that is raised: one_draw, mean_loss, mean_predictive (default)")
        ->type_name("NAME");
    figureCommand
        ->add_option(
            "--rows", figure.rows,
            "Of views of the whole test set: so many rows, evenly over it (default: all; of attack_curve 1000)")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    figureCommand
        ->add_option("--prune", figure.prune.share,
                     "Share of the weights, 0 to 1, that is set to zero before the figure is made (default: 0)")
        ->type_name("SHARE")
        ->check(CLI::Range(0.0, 1.0));
    figureCommand
        ->add_option(
            "--prune-by", figure.pruneBy,
            "Which go first: signal_to_noise (smallest |mean|/sd, default), magnitude (smallest |mean|), spread (largest sd)")
        ->type_name("NAME");
    figureCommand->add_flag("--prune-each-layer", figure.prune.per_layer,
                            "Take that share of each layer by itself, not of all together");
    bool keepBiases = false;
    figureCommand->add_flag("--prune-keep-biases", keepBiases, "Remove weights only, no biases");
    addFigurePageOptions(*figureCommand, figure);
    figureCommand->add_option("--step", figure.step, "The recorded step nearest to this one (default: the last)")
        ->type_name("N");
    figureCommand->add_option("--threads", figure.threads, "Threads")->type_name("N")->check(CLI::Range(1, 1024));

    OpenCommand open;
    auto* openCommand = app.add_subcommand(
        "open",
        "Open one picture in the window: of a study, a run or a link. Or outputs of a net from elsewhere: scores, tables and figures as of our own runs");
    openCommand
        ->add_option(
            "FILE", open.file,
            "A study or the id of a preset, run.credence or its folder, or a link, for the window. Outputs from elsewhere: an .npz file (or a folder of "
            ".npy files) with probabilities or logits [S x N x K], or mean [N x K] and variance or covariance of the "
            "logits; and, if known, labels [N], class_names [K], images [N x H x W (x C)], inputs [N x d]")
        ->required();
    openCommand
        ->add_option(
            "--view", open.view,
            "Window: the view in front, for example boxplots (see: credence list --views); outputs, too, are then shown in the window")
        ->type_name("NAME");
    openCommand
        ->add_option(
            "--quantity", open.quantity,
            "Window: of the decision map, class_probability, predictive_entropy (default), aleatoric, epistemic, certainty")
        ->type_name("NAME");
    openCommand
        ->add_option(
            "--step", open.step,
            "Window: the recorded step nearest to this one; a study is trained, and shown there (default: the last)")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
    auto* openInput = openCommand
                          ->add_option("--input", open.input, "Window: the chosen input, in the units of the data")
                          ->type_name("X1,X2,…")
                          ->delimiter(',')
                          ->allow_extra_args(false);
    openCommand
        ->add_option("--row", open.row, "Window: the chosen input by its row in the test set, in place of --input")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber)
        ->excludes(openInput);
    openCommand->add_option("--other", open.other, "Such a file of inputs that the net has not learned: foreign data")
        ->type_name("FILE2");
    openCommand
        ->add_option(
            "--out", open.out,
            "Folder for results.json, tables and figures (default: nothing is written, the scores are printed)")
        ->type_name("DIR");
    addOverwriteOption(*openCommand, open.overwrite);
    bool noPicturesOfOutputs = false;
    openCommand
        ->add_option("--longest", open.longest,
                     "No list of the uncertainty-aware top-k has more classes (default: all)")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    openCommand->add_flag("--no-figures", noPicturesOfOutputs, "Write no pictures, only numbers");
    openCommand->add_option("--threads", open.threads, "Threads")->type_name("N")->check(CLI::Range(1, 1024));

    BridgeCommand bridge;
    const auto* bridgeCommand = addBridgeCommand(app, bridge);
    DoubleWellCommand well;
    const auto* wellCommand = addDoubleWellCommand(app, well);
    PapersCommands papers;
    addPapersCommands(app, papers);
    LinterCommand linter;
    auto* linterCommand = app.add_subcommand(
        "linter", "What the linter looks for in each run; or the page that says it of each rule");
    linterCommand->add_option("--write", linter.write, "Write that page, in Markdown")->type_name("FILE");
    PagesCommands pages;
    addPagesCommands(app, pages);
    BanditCommand bandit;
    const auto* banditCommand = addBanditCommand(app, bandit);
    SweepCommand sweep;
    const auto* sweepCommand = addSweepCommand(app, sweep);
    auto* dataCommand        = app.add_subcommand("data", "Data sets of images: list them, fetch one, import one");
    dataCommand->require_subcommand(1);
    auto* dataListCommand = dataCommand->add_subcommand("list", "The sets that can be fetched, and those at hand");
    DataFetchCommand fetch;
    auto* dataFetchCommand = dataCommand->add_subcommand(
        "fetch", "Download a set into your data folder; every file is checked by its hash");
    dataFetchCommand->add_option("NAME", fetch.name, "Its name, for example mnist (see: credence data list)")
        ->required();
    DataImportCommand import;
    auto* dataImportCommand = dataCommand->add_subcommand("import", "Make a set of files that are at hand");
    dataImportCommand
        ->add_option("NAME", import.order.name,
                     "Name of the new set, or of one of the catalogue, whose files must then have the right hashes")
        ->required();
    dataImportCommand
        ->add_option(
            "PATH", import.order.path,
            "A folder with MNIST's four files, with CIFAR-10's binary files (or its .tar.gz), GTSRB's folder, an .npz file with x_train, "
            "y_train, x_test and y_test, or a folder with one subfolder of pictures for each class")
        ->required();
    dataImportCommand->add_option("--title", import.order.title, "Title for people (default: the name)")
        ->type_name("TEXT");
    dataImportCommand
        ->add_option("--size", import.order.pictures.size,
                     "Pictures: rows and columns (default: their own if all have the same one of at most 64, else 32)")
        ->type_name("N")
        ->check(CLI::Range(4, 512));
    dataImportCommand->add_option("--channels", import.colour, "Pictures: grey or colour (default: grey if all are)")
        ->type_name("grey|colour")
        ->check(CLI::IsMember({"grey", "colour"}));
    dataImportCommand
        ->add_option("--test-share", import.order.pictures.test_share,
                     "Pictures without folders train and test: share of each class for testing (default: 0.2)")
        ->type_name("SHARE")
        ->check(CLI::Range(0.01, 0.9));
    dataImportCommand->add_option("--seed", import.order.pictures.seed, "Pictures: seed of that choice (default: 1)")
        ->type_name("N");

    addNumberChecks(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() == 0)   // --help, --version
            return guarded([&] { return app.exit(e, std::cout, std::cerr); });
        std::cerr << "credence: " << credence::one_line(e.what(), 1000) << " (see: credence --help)\n";
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
    for (const int threads : {run.threads, compare.threads, figure.threads, open.threads, bridge.threads,
                              bandit.threads, papers.reproduce.threads})   // a sweep has threads for several cells
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
