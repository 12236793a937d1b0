// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/commands.h"

#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/text.h"
#include "results/own_files.h"
#include "sweeps/sweep_folder.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <optional>
#include <spawn.h>
#include <stdexcept>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace credence;
namespace fs = std::filesystem;

using Words = std::vector<std::string>;

[[noreturn]] void refuseToStart(const fs::path& program, int code)
{
    throw std::runtime_error(program.string() + " cannot be started (" + system_reason(code) + ").");
}

/// Reads the pipe until its other end is closed.
std::string allOf(int handle)
{
    std::string text;
    std::array<char, 4096> bytes;
    for (;;) {
        const auto n = ::read(handle, bytes.data(), bytes.size());
        if (n > 0)
            text.append(bytes.data(), static_cast<std::size_t>(n));
        else if (n == 0 || errno != EINTR)
            return text;
    }
}

int statusOf(pid_t child)
{
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Finds a program in the folders of PATH. Empty: not found.
std::optional<fs::path> programInPath(const std::string& name)
{
    const char* variable   = std::getenv("PATH");
    std::string_view paths = variable ? variable : "";
    while (!paths.empty()) {
        const auto end    = std::min(paths.find(':'), paths.size());
        const auto folder = paths.substr(0, end);
        paths.remove_prefix(std::min(end + 1, paths.size()));
        const auto file = fs::path(folder.empty() ? "." : folder) / name;
        std::error_code ignored;
        if (fs::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0)
            return file;
    }
    return {};
}

/// Returns the absolute path of this executable.
fs::path ownProgram() { return fs::read_symlink("/proc/self/exe"); }

/// Exit status and output of another program.
struct ProgramAnswer {
    int status = -1;   ///< exit status; 128 + signal if it was killed
    std::string out;   ///< standard output
};

/// Destination of its standard error.
enum class ProgramErrors {
    shown,     ///< our standard error
    dropped,   ///< discarded: the exit status suffices
};

/// Runs a program to completion, without a shell and with empty standard input.
/// @param words  arguments without the program name
/// @throws std::runtime_error  "/usr/bin/sbatch cannot be started (Permission denied)."
ProgramAnswer runProgram(const fs::path& program, const Words& words, ProgramErrors errors)
{
    std::string first = program.string();
    Words own(words);
    std::vector<char*> arguments{first.data()};
    for (auto& word : own)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);

    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        refuseToStart(program, errno);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    if (errors == ProgramErrors::dropped)
        ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child    = 0;
    const int code = ::posix_spawn(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    ProgramAnswer answer;
    if (code == 0) {
        answer.out    = allOf(ends[0]);
        answer.status = statusOf(child);
    }
    ::close(ends[0]);
    if (code != 0)
        refuseToStart(program, code);
    return answer;
}

/// Refuses options that Credence sets itself: which task runs which cells, and when.
void checkOption(const std::string& option)
{
    if (option.size() < 2 || option.front() != '-')
        throw Error("--slurm-option is \"" + option
                    + "\", expected one option of sbatch as one word, for example --time=01:00:00.");
    const std::string name = option.starts_with("--") ? option.substr(0, option.find('=')) : option.substr(0, 2);
    constexpr std::array taken{"--array", "-a", "--dependency", "-d", "--parsable", "--wrap", "--test-only"};
    if (std::find(taken.begin(), taken.end(), name) != taken.end())
        throw Error("--slurm-option is \"" + option + "\", but credence decides " + name
                    + " itself, expected another option of sbatch.");
}

/// Absolute sweep folder, whose name Slurm can use for log files.
fs::path placeOf(const SweepFolder& folder)
{
    auto place = fs::weakly_canonical(fs::absolute(folder.path()));
    if (!place.has_filename())   // "out/a/"
        place = place.parent_path();
    if (place.string().find_first_of("\\\n") != std::string::npos)
        throw Error(place.string()
                    + ": Slurm cannot use this path, expected a folder without backslashes and line breaks in its "
                      "path.");
    return place;
}

/// Escapes %, which starts a Slurm placeholder in log names.
std::string logName(const fs::path& place, const std::string& name)
{
    std::string text;
    for (const char c : (place / "slurm").string())
        text += c == '%' ? "%%" : std::string(1, c);
    return "--output=" + text + "/" + name;
}

/// Returns the output of a Slurm program; empty: it is missing or failed.
std::optional<std::string> printedBy(const std::string& name, const Words& words)
{
    const auto program = programInPath(name);
    if (!program)
        return {};
    const auto answer = runProgram(*program, words, ProgramErrors::dropped);
    return answer.status == 0 ? std::optional(answer.out) : std::nullopt;
}

SlurmPlan planOf(const std::vector<SweepCell>& cells, const SweepFolder& folder, const fs::path& script,
                 const SweepCommand& command)
{
    std::vector<CellState> states;
    states.reserve(cells.size());
    for (const auto& cell : cells)
        states.push_back(folder.status(cell.hash).state);
    const auto listing = printedBy("squeue", {"--noheader", "--array", "--user=" + std::to_string(::getuid()),
                                              "--states=PENDING,RUNNING,SUSPENDED,CONFIGURING", "--format=%F %K %o"});
    if (!listing && !command.writeOnly)
        std::cerr
            << "credence: squeue does not respond; tasks that are already queued may be submitted twice, which is "
               "harmless.\n";
    std::size_t most = most_slurm_tasks(printedBy("scontrol", {"show", "config"}).value_or(""));
    if (command.slurmTasks > 0)
        most = std::min(most, static_cast<std::size_t>(command.slurmTasks));
    return slurm_plan(states, slurm_tasks_in(listing.value_or(""), script), most);
}

std::string counted(std::size_t n, const std::string& thing)
{
    return std::to_string(n) + " " + thing + (n == 1 ? "" : "s");
}

std::string planText(const SlurmPlan& plan, std::size_t cells)
{
    std::string text = counted(cells, "cell") + ": " + std::to_string(plan.done) + " done, ";
    if (plan.queued > 0)
        text += std::to_string(plan.queued) + " in the queue, ";
    if (plan.running > 0)
        text += std::to_string(plan.running) + " running elsewhere, ";
    text += std::to_string(plan.to_run) + " to run";
    return plan.submit.empty() ? text : text + " in " + counted(plan.submit.size(), "task");
}

/// Arguments of sbatch. The user's options come last because sbatch uses the last of two.
Words sbatchWords(Words own, const SweepCommand& command, const fs::path& script, const std::string& argument)
{
    own.insert(own.begin(), "--parsable");
    own.push_back("--cpus-per-task=" + std::to_string(std::max(1, command.threads)));
    own.insert(own.end(), command.slurmOptions.begin(), command.slurmOptions.end());
    own.push_back(script.string());
    own.push_back(argument);
    return own;
}

std::string asTyped(const Words& words)
{
    std::string line = "sbatch";
    for (const auto& word : words)
        line += " " + shell_word(word);
    return line;
}

/// Returns the job number. With several clusters sbatch prints "12;cluster".
std::string submit(const fs::path& sbatch, const Words& words)
{
    const auto answer = runProgram(sbatch, words, ProgramErrors::shown);
    if (answer.status != 0)
        throw std::runtime_error("sbatch ended with status " + std::to_string(answer.status)
                                 + " (see its output above); it was called as: " + asTyped(words));
    std::string number = answer.out.substr(0, answer.out.find_first_of(";\n"));
    if (number.empty() || number.find_first_not_of("0123456789") != std::string::npos)
        throw std::runtime_error("sbatch printed \"" + one_line(answer.out, 200) + "\", expected a job number.");
    return number;
}

/// Prints the commands that follow a submission.
void printNextCommands(const fs::path& place, const std::string& job, const std::string& last,
                       const std::string& collect)
{
    std::cout << "Watch:       squeue --jobs=" << job << ',' << last << '\n'
              << "Cancel:      scancel " << job << ' ' << last << '\n'
              << "Collect now: " << collect << '\n'
              << "Resubmit:    credence sweep " << shell_word(place.string()) << " --slurm   (missing cells only)\n"
              << "Logs:        " << (place / "slurm").string() << '\n';
}

}   // namespace

int submitToSlurm(const Sweep& sweep, const std::vector<SweepCell>& cells, const SweepFolder& folder,
                  const SweepCommand& command)
{
    for (const auto& option : command.slurmOptions)
        checkOption(option);
    const auto sbatch = programInPath("sbatch");
    if (!sbatch && !command.writeOnly)
        throw Error(
            "sbatch is not in PATH, expected Slurm on this machine (--write-only writes the script for another one).");
    const auto place  = placeOf(folder);
    const auto script = place / "slurm.sh";
    if (!command.overwrite && is_file(script) && !read_file(script, "script").starts_with(slurm_script_begin))
        refuse_foreign_file(script);
    folder.begin(sweep);
    fs::create_directories(place / "slurm");
    write_whole(script, slurm_script(ownProgram(), place, command.noFigures ? Words{"--no-figures"} : Words{},
                                     command.mixBuilds ? Words{"--mix-builds"} : Words{}));

    const auto plan = planOf(cells, folder, script, command);
    std::cout << shown_title(sweep) << ": " << planText(plan, cells.size()) << '\n';
    if (plan.submit.empty()) {
        std::cout << "All cells are done or queued; nothing to submit. To make the tables: credence sweep "
                  << shell_word(place.string()) << " --collect\n";
        return exitOk;
    }

    const std::string name  = "--job-name=" + (sweep.id.empty() ? place.filename().string() : sweep.id);
    const std::string array = "--array=" + slurm_array_text(plan.submit, command.jobs);
    const auto tasks        = sbatchWords({name, array, logName(place, "%A_%a.log")}, command, script,
                                          std::to_string(plan.tasks));
    const auto tables       = [&](const std::string& job) {
        std::string after = "--dependency=afterany";
        for (const auto& earlier : plan.jobs)
            after += ":" + earlier;
        return sbatchWords({name + "-tables", after + ":" + job, logName(place, "tables_%j.log")}, command, script,
                                 "collect");
    };
    if (command.writeOnly) {
        std::cout << "Written to " << script.string()
                  << "; nothing was submitted. To submit, replace JOB with the number that the first line prints:\n  "
                  << asTyped(tasks) << "\n  " << asTyped(tables("JOB")) << '\n';
        return exitOk;
    }
    const auto job = submit(*sbatch, tasks);
    std::cout << "Submitted as job " << job << std::flush;
    const std::string collect = "credence sweep " + shell_word(place.string()) + " --collect";
    std::string last;
    try {
        last = submit(*sbatch, tables(job));
    } catch (const std::runtime_error& error) {
        std::cout << ".\n" << std::flush;
        throw std::runtime_error("The tasks are submitted, but the job that makes the tables is not. Run it by "
                                 "hand: \""
                                 + collect + "\". Reason: " + error.what());
    }
    std::cout << "; job " << last << " makes the tables when the tasks have ended.\n";
    printNextCommands(place, job, last, collect);
    return exitOk;
}
