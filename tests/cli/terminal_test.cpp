// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/program.h"
#include "cli/progress_line.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

// `credence run` on a terminal.
namespace {

using testing::HasSubstr;
using testing::Not;

/// Calls the program on a pseudo-terminal with `columns`. With `stop_at`, Ctrl+C is typed when that text appears.
Answer callOnTerminal(const std::string& arguments, unsigned short columns, const std::string& stop_at = {})
{
    winsize size{24, columns, 0, 0};
    int terminal      = -1;
    const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
    if (child == 0) {
        const std::string command =
            "unset XDG_RUNTIME_DIR DISPLAY WAYLAND_DISPLAY QT_QPA_PLATFORM; TERM=xterm exec " CREDENCE_PROGRAM " "
            + arguments;
        ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
        ::_exit(127);
    }
    Answer answer;
    char buffer[4096];
    bool typed = stop_at.empty();
    for (;;) {
        const ssize_t n = ::read(terminal, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)   // EIO: the program has ended
            break;
        answer.out.append(buffer, static_cast<std::size_t>(n));
        if (!typed && answer.out.find(stop_at) != std::string::npos)
            typed = ::write(terminal, "\x03", 1) == 1;
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ::close(terminal);
    answer.status = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
    return answer;
}

/// The overwritten lines, without the control sequence that clears the rest.
std::vector<std::string> progressLines(const std::string& text)
{
    std::vector<std::string> lines;
    const std::string wipe = "\033[K";
    for (std::size_t begin = 0, end; (end = text.find(wipe, begin)) != std::string::npos; begin = end + wipe.size()) {
        const auto back = text.rfind('\r', end);
        if (back != std::string::npos && back >= begin)
            lines.push_back(text.substr(back + 1, end - back - 1));
    }
    return lines;
}

std::size_t characters(const std::string& text)
{
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

TEST(Terminal, OneLineShowsTheProgressAndIsClearedAtTheEnd)
{
    const auto folder   = freshFolder("terminal");
    const Answer answer = callOnTerminal(
        "run xor --set training.steps=4000 --set prediction.samples=20 --out '" + folder.string() + "'", 80);
    EXPECT_EQ(answer.status, 0);
    const auto lines = progressLines(answer.out);
    ASSERT_GE(lines.size(), 3u);
    EXPECT_THAT(lines.front(), HasSubstr("of 4,000"));
    EXPECT_THAT(lines[lines.size() - 2], HasSubstr("writing figures and data …"));
    EXPECT_EQ(lines.back(), "");
    EXPECT_THAT(answer.out, HasSubstr("\r\033[KXOR: 160 training and 40 test rows")) << "the summary replaces the line";
    EXPECT_THAT(answer.out, Not(HasSubstr("XDG_RUNTIME_DIR")));
}

TEST(Terminal, TheLineIsNeverWiderThanTheTerminal)
{
    const auto folder = freshFolder("narrow");
    const auto lines  = progressLines(
         callOnTerminal("run xor --set training.steps=4000 --no-figures --out '" + folder.string() + "'", 30).out);
    ASSERT_GE(lines.size(), 3u);
    for (const auto& line : lines)
        EXPECT_LE(characters(line), 29u) << line;
}

TEST(Terminal, TheFirstCtrlCEndsEverythingAndKeepsStudyRunAndResults)
{
    const auto folder   = freshFolder("terminal_stopped");
    const Answer answer = callOnTerminal(
        "run xor --set training.steps=1000000000 --no-figures --out '" + folder.string() + "'", 100, " left");
    EXPECT_EQ(answer.status, 130);
    EXPECT_THAT(answer.out, HasSubstr("stopped"));
    EXPECT_EQ(nlohmann::json::parse(contentOf(folder / "results.json")).at("stop"), "cancelled");
    EXPECT_TRUE(std::filesystem::exists(folder / "study.json"));
    EXPECT_TRUE(std::filesystem::exists(folder / "run.credence"));
    EXPECT_FALSE(std::filesystem::exists(folder / "data/decision_map.csv"));   // credence figure draws it from the run
}

TEST(Terminal, CtrlCWhileFiguresAreWrittenKeepsStudyRunAndResults)
{
    const auto folder   = freshFolder("terminal_writing");
    const Answer answer = callOnTerminal("run xor --set training.steps=50 --set prediction.samples=5000 --out '"
                                             + folder.string() + "'",
                                         100, "writing figures");
    EXPECT_EQ(answer.status, 130);
    EXPECT_THAT(answer.out, HasSubstr("Cancelled while writing scores, tables and figures; Study and run are in"));
    EXPECT_EQ(nlohmann::json::parse(contentOf(folder / "results.json")).at("stop"), "steps_done");
    EXPECT_TRUE(std::filesystem::exists(folder / "run.credence"));
    EXPECT_FALSE(std::filesystem::exists(folder / "data/scores.csv"));
}

TEST(Progress, AShareIsInPercentWithTheTimeLeftWhereItIsKnown)
{
    EXPECT_EQ(shareText({0.4, 12.0}), "40 % · 0:12 left");
    EXPECT_EQ(shareText({1, {}}), "100 %");
}

TEST(Progress, ALineThatIsTooLongEndsInAnEllipsis)
{
    EXPECT_EQ(shortened("τ is ρ", 6), "τ is ρ");
    EXPECT_EQ(shortened("τ is ρ", 5), "τ is…");
    EXPECT_EQ(shortened("τ is ρ", 1), "…");
    EXPECT_EQ(shortened("τ is ρ", 0), "");
}

}   // namespace
