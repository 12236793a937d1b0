// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/other_program.h"

#include "foundation/system_reason.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <spawn.h>
#include <stdexcept>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

namespace {

[[noreturn]] void refuseToStart(const std::filesystem::path& program, int code)
{
    throw std::runtime_error(program.string() + " cannot be started (" + credence::system_reason(code) + ").");
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

}   // namespace

std::optional<std::filesystem::path> programInPath(const std::string& name)
{
    const char* variable   = std::getenv("PATH");
    std::string_view paths = variable ? variable : "";
    while (!paths.empty()) {
        const auto end    = std::min(paths.find(':'), paths.size());
        const auto folder = paths.substr(0, end);
        paths.remove_prefix(std::min(end + 1, paths.size()));
        const auto file = std::filesystem::path(folder.empty() ? "." : folder) / name;
        std::error_code ignored;
        if (std::filesystem::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0)
            return file;
    }
    return {};
}

std::filesystem::path ownProgram() { return std::filesystem::read_symlink("/proc/self/exe"); }

ProgramAnswer runProgram(const std::filesystem::path& program, const std::vector<std::string>& words,
                         ProgramErrors errors)
{
    std::string first = program.string();
    std::vector<std::string> own(words);
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
