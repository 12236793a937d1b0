// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/command_line.h"

#include "cli/commands.h"
#include "cli/common_options.h"
#include "foundation/build_info.h"
#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/number_text.h"
#include "foundation/text.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <map>
#include <new>
#include <system_error>
#include <vector>

namespace {

struct Command {
    const char* name;   ///< as typed
    const char* help;   ///< one sentence
    AddOptions* add;
};

/// In the order of the help.
constexpr Command commands[] = {
    {"run", "Train a Study and write its results, figures and data", addRun},
    {"list", "List presets, views, settings, or the runs in a folder", addList},
    {"compare", "Run every method on one problem and compare each with the reference posterior (NUTS)", addCompare},
    {"predict", "Predict the rows of a new table with a saved run: values with intervals, or class probabilities",
     addPredict},
    {"figure", "Draw one view of a run to a file, or compare several runs in one figure", addFigure},
    {"film", "Film a run: draw one view at its recorded steps as an animated PNG, a GIF or a series of PNG files",
     addFilm},
    {"open",
     "Open a Study, run or link in the window, or score imported predictions, with the same scores, tables and figures "
     "as for a run",
     addOpen},
    {"bridge",
     "Convert Gaussians over logits to Dirichlets with the Laplace Bridge, and compute uncertainty-aware top-k lists",
     addBridge},
    {"double-well",
     "Compare a chain over points with a chain over Gaussians on a double-well potential: numbers, density ratios and "
     "figures",
     addDoubleWell},
    {"reproduce",
     "Reproduce a table, figure or claim of the papers and compare it with the printed and our own numbers",
     addReproduce},
    {"papers",
     "Print how many tables, figures and claims of the papers are reproduced, or write the page that lists them",
     addPapers},
    {"linter", "List the linter's rules, or write the page that documents them", addLinter},
    {"completion",
     "Print the shell completion script for commands, options and ids, for example: source <(credence completion bash)",
     addCompletion},
    {"bandit", "Train contextual bandit agents on the mushroom task and compare their regret over several seeds",
     addBandit},
    {"active", "Active learning: label the rows from which a network learns most, and compare with random rows",
     addActive},
    {"sweep", "Run a Study over a grid of settings and seeds and compare the results; an interrupted sweep continues",
     addSweep},
    {"data", "List, download or import image data sets", addData},
};

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

/// "--level: Value 95 not in range 0.010000 to 0.999900" as "--level: found "95", expected a number from
/// 0.01 to 0.9999"; a bound that no number reaches is left out. From 2.4 on, CLI11 writes "[0.01 - 0.9999]".
std::string withPlainRange(const std::string& message)
{
    constexpr std::string_view value = "Value ", range = " not in range ";
    const auto a = message.find(value), b = message.find(range, a);
    if (a == std::string::npos || b == std::string::npos)
        return message;
    std::string_view bounds = std::string_view(message).substr(b + range.size());
    const bool brackets     = bounds.starts_with('[') && bounds.ends_with(']');
    if (brackets)
        bounds = bounds.substr(1, bounds.size() - 2);
    const std::string_view between = brackets ? " - " : " to ";
    const auto c                   = bounds.find(between);
    if (c == std::string_view::npos)
        return message;
    const auto lowest  = credence::number_from(bounds.substr(0, c)),
               highest = credence::number_from(bounds.substr(c + between.size()));
    if (!lowest || !highest)
        return message;
    const auto typed        = message.substr(a + value.size(), b - a - value.size());
    const std::string least = credence::plain_text(*lowest);
    return message.substr(0, a) + "found \"" + typed + "\", expected a number "
           + (*highest < 1e300 ? "from " + least + " to " + credence::plain_text(*highest) : "of at least " + least);
}

/// The message with long arguments shortened in the middle.
std::string withShortArguments(std::string message, int argc, char** argv)
{
    constexpr std::size_t longest = 60;   // bytes
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        for (const auto typed : {argument, argument.substr(argument.find('=') + 1)})   // npos + 1 is 0
            if (typed.size() > longest)
                for (auto at = message.find(typed); at != std::string::npos; at = message.find(typed, at)) {
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

/// Handles a call without a command. @throws credence::Error for more than one file or a missing
/// one
int openWindow(const WindowCommand& window, const CommandTools& tools)
{
    if (window.files.size() > 1)
        throw credence::Error("found " + std::to_string(window.files.size()) + " files ("
                              + credence::joined(window.files)
                              + "), expected at most one: start credence once per file.");
    std::error_code code;
    if (!window.files.empty() && !std::filesystem::exists(window.files.front(), code))
        throw credence::Error(window.files.front()
                              + ": there is no such file, and no command of this name (see: credence --help).");
    return tools.openWindow(window);
}

/// Options of the program itself, used without a command.
void addWindowOptions(CLI::App& app, WindowCommand& window)
{
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
}

/// A sweep divides its threads among several cells; all other commands share one computation.
void warnOfIdleThreads(const CLI::App& command)
{
    constexpr int mostOfALoop = 64;   // see core/foundation/parallel.cpp
    const auto* option        = command.get_option_no_throw("--threads");
    if (command.get_name() == "sweep" || option == nullptr || option->count() == 0)
        return;
    if (const int threads = option->as<int>(); threads > mostOfALoop)
        std::cerr << "credence: --threads is " << threads << ", but one computation uses at most " << mostOfALoop
                  << " threads; the others stay idle.\n";
}

}   // namespace

int runCommandLine(int argc, char** argv, const CommandTools& tools)
{
    CLI::App app{
        "Explore Bayesian neural networks. Without a command, Credence opens its window with the given Study or "
        "figure.",
        "credence"};
    WindowCommand window;
    addWindowOptions(app, window);
    std::map<const CLI::App*, Action> actions;
    for (const auto& [name, help, add] : commands) {
        CLI::App* command = app.add_subcommand(name, help);
        actions[command]  = add(*command, tools);
    }
    app.set_help_all_flag("--help-all", "Print the options of all commands and exit");
    addChecks(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForAllHelp&) {
        return guarded([&] {
            std::cout << helpOfAll(app);
            return exitOk;
        });
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() == 0)   // --help, --version
            return guarded([&] { return app.exit(e, std::cout, std::cerr); });
        std::cerr << "credence: " << credence::one_line(withPlainRange(withShortArguments(e.what(), argc, argv)), 1000)
                  << " (see: credence --help)\n";
        return exitBadInput;
    }
    if (app.get_subcommands().empty())
        return guarded([&] { return openWindow(window, tools); });
    const CLI::App* command = app.get_subcommands().front();
    if (!window.theme.empty() || !window.files.empty()) {
        std::cerr << "credence: found " << (window.theme.empty() ? window.files.front() : std::string("--theme"))
                  << " before the command " << command->get_name()
                  << ", expected the command first (see: credence --help)\n";
        return exitBadInput;
    }
    warnOfIdleThreads(*command);
    return guarded(actions.at(command));
}

namespace {

/// "--set PATH=VALUE", "-h, --help": without bounds, which belong to the help of one command.
std::string nameAndValue(const CLI::Option& option)
{
    if (option.get_positional())
        return option.get_single_name();
    std::string text;
    for (const auto& letter : option.get_snames())
        text += "-" + letter + ", ";
    for (const auto& name : option.get_lnames())
        text += (&name == &option.get_lnames().front() ? "--" : ",--") + name;
    if (!option.get_option_text().empty())
        return text + ' ' + option.get_option_text();
    const std::string value = option.get_type_name().substr(0,
                                                            option.get_type_name().find(':'));   // "N:INT in [1 - 9]"
    return option.get_items_expected_max() > 0 ? text + ' ' + value : text;
}

std::string optionLines(const CLI::App& app)
{
    constexpr std::size_t column = 30;
    std::string text;
    for (const auto* option : app.get_options())
        if (!option->get_group().empty() && (app.get_parent() == nullptr || option != app.get_help_ptr())) {
            const std::string name = "  " + nameAndValue(*option);
            text += name
                    + (name.size() + 2 <= column ? std::string(column - name.size(), ' ')
                                                 : '\n' + std::string(column, ' '))
                    + option->get_description() + ".\n";
        }
    return text;
}

/// "credence run [OPTIONS] STUDY:" and what follows; of `data` its commands.
std::string commandText(const CLI::App& command, const std::string& before)
{
    const std::string name = before + command.get_name();
    std::string text;
    for (const auto* below : command.get_subcommands({}))
        text += commandText(*below, name + ' ');
    if (!text.empty())
        return text;
    const std::string usage = CLI::Formatter().make_usage(&command, name);   // "Usage: credence run [OPTIONS] STUDY\n"
    return usage.substr(usage.find(name), usage.find('\n') - usage.find(name)) + ":\n  " + command.get_description()
           + ".\n\n" + optionLines(command) + '\n';
}

}   // namespace

std::string helpOfAll(const CLI::App& app)
{
    std::string text = app.get_description() + "\n\nUsage: credence [OPTIONS] [FILE]\n  or:  credence COMMAND ...\n\n"
                       + "Options:\n" + optionLines(app) + "\n*Commands*\n\n";
    for (const auto* command : app.get_subcommands({}))
        text += commandText(*command, app.get_name() + ' ');
    return text;
}
