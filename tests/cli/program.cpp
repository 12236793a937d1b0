// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/program.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

/// Runs a command of the shell. @param meanwhile  gets its process
Answer startShell(const std::string& line, const std::function<void(pid_t)>& meanwhile)
{
    static int calls  = 0;
    const auto folder = std::filesystem::path(testing::TempDir());
    const auto stem   = "credence_call_" + std::to_string(::getpid()) + "_" + std::to_string(++calls);
    const auto out = folder / (stem + ".out"), error = folder / (stem + ".err");
    const std::string command = "unset DISPLAY WAYLAND_DISPLAY QT_QPA_PLATFORM; exec > '" + out.string() + "' 2> '"
                                + error.string() + "' < /dev/null; " + line;
    const pid_t child = ::fork();
    if (child == 0) {
        ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
        ::_exit(127);
    }
    meanwhile(child);
    int status = 0;
    ::waitpid(child, &status, 0);
    Answer answer{WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status), contentOf(out), contentOf(error)};
    std::filesystem::remove(out);
    std::filesystem::remove(error);
    return answer;
}

/// The shell replaces itself with the program, so that signals reach it. `before` are commands for the shell.
Answer start(const std::string& arguments, const std::function<void(pid_t)>& meanwhile, const std::string& before = "")
{
    return startShell(before + "exec " CREDENCE_PROGRAM " " + arguments, meanwhile);
}

}   // namespace

Answer callShell(const std::string& script)
{
    return startShell("CREDENCE='" CREDENCE_PROGRAM "'; " + script, [](pid_t) {});
}

Answer call(const std::string& arguments)
{
    return start(arguments, [](pid_t) {});
}

Answer callAfter(const std::string& commands, const std::string& arguments)
{
    return start(
        arguments, [](pid_t) {}, commands);
}

namespace {

/// Starts the program and sends it a signal once `reached` returns true or it has ended.
Answer signalWhen(const std::string& arguments, int signal, const std::function<bool()>& reached)
{
    return start(arguments, [&](pid_t child) {
        for (siginfo_t ended{}; !reached() && ended.si_pid == 0; ::usleep(1000))
            ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT);
        ::kill(child, signal);
    });
}

/// Tells whether `file` has been written since this call: a complete file is a new one each time.
std::function<bool()> writtenFromNow(const std::filesystem::path& file)
{
    const auto number = [file] {
        struct stat about {};
        return ::stat(file.c_str(), &about) == 0 ? about.st_ino : 0;
    };
    return [number, before = number()] {
        const ino_t now = number();
        return now != 0 && now != before;
    };
}

}   // namespace

Answer callAndInterruptWhen(const std::string& arguments, const std::function<bool()>& reached)
{
    return signalWhen(arguments, SIGINT, reached);
}

Answer callAndInterruptAt(const std::string& arguments, const std::filesystem::path& file)
{
    return callAndSignalAt(arguments, SIGINT, file);
}

Answer callAndSignalAt(const std::string& arguments, int signal, const std::filesystem::path& file)
{
    return signalWhen(arguments, signal, writtenFromNow(file));
}

Answer callAndKill(const std::string& arguments, double seconds)
{
    const auto from = std::chrono::steady_clock::now();
    return signalWhen(arguments, SIGKILL, [=] {
        return std::chrono::steady_clock::now() - from >= std::chrono::duration<double>(seconds);
    });
}

Answer callAndKill(const std::string& arguments, const std::filesystem::path& file, double seconds)
{
    return signalWhen(arguments, SIGKILL, [written = writtenFromNow(file), seconds] {
        if (!written())
            return false;
        ::usleep(static_cast<useconds_t>(1e6 * seconds));
        return true;
    });
}

std::pair<Answer, Answer> callBoth(const std::string& first, const std::string& second)
{
    Answer of_second;
    Answer of_first = start(first, [&](pid_t) { of_second = call(second); });
    return {of_first, of_second};
}

Answer callWithSmallFiles(const std::string& arguments, int bytes)
{
    return start(
        arguments, [](pid_t) {}, "trap '' XFSZ; ulimit -f " + std::to_string(bytes / 512) + "; ");
}

std::filesystem::path freshFolder(const std::string& name)
{
    const auto folder = std::filesystem::path(testing::TempDir())
                        / ("credence_" + name + "_" + std::to_string(::getpid()));
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    return folder;
}

std::string contentOf(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}
