// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/progress_line.h"

#include "cli/command_line.h"
#include "foundation/number_text.h"

#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

using credence::grouped_text;

namespace {

/// A terminal that cannot move the cursor within a line.
bool isDumb()
{
    const char* kind = std::getenv("TERM");
    return kind && std::strcmp(kind, "dumb") == 0;
}

/// Current terminal width in columns; it can be resized at any time.
std::size_t terminalWidth()
{
    winsize size{};
    return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
}

}   // namespace

std::string shortened(const std::string& text, std::size_t columns)
{
    const auto starts = [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    };   // bytes of a UTF-8 character
    const auto length = static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts));
    if (length <= columns)
        return text;
    std::size_t end = 0;
    for (std::size_t seen = 0; end < text.size(); ++end)
        if (starts(text[end]) && seen++ + 1 == columns)
            break;
    return columns == 0 ? "" : text.substr(0, end) + "…";
}

std::string clockText(double seconds)
{
    const long whole = std::lround(seconds);
    char text[32];
    if (whole < 3600)
        std::snprintf(text, sizeof text, "%ld:%02ld", whole / 60, whole % 60);
    else
        std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    return text;
}

std::string progressText(const credence::TrainingProgress& progress, const credence::RunPlan& plan)
{
    if (progress.curvature) {
        return "curvature " + shareText({*progress.curvature, progress.seconds_left});
    }
    std::string text = plan.kept.empty() ? "step " + grouped_text(progress.step) + " of " + grouped_text(progress.steps)
                                               + " · epoch " + grouped_text(static_cast<long>(progress.epoch))
                                         : progress_words(plan, progress.step);
    if (progress.steps_per_second > 0)
        text += " · " + grouped_text(std::lround(progress.steps_per_second)) + " " + plan.one_step + "s/s";
    if (progress.seconds_left)
        text += " · " + clockText(*progress.seconds_left) + " left";
    return text;
}

std::string shareText(const credence::WorkProgress::State& state)
{
    const std::string share = std::to_string(std::lround(100 * state.share)) + " %";
    return state.seconds_left ? share + " · " + clockText(*state.seconds_left) + " left" : share;
}

std::function<void(double share)> shareOn(ProgressLine& line, const std::string& what)
{
    struct Heard {
        credence::WorkProgress progress;
        credence::Stopwatch shown;
    };
    const auto heard = std::make_shared<Heard>();
    heard->progress.report(0);
    return [&line, what, heard](double share) {
        heard->progress.report(share);
        const auto state = heard->progress.now();
        if (!state || heard->shown.seconds() < 0.1)
            return;
        heard->shown = {};
        line.show(what + " · " + shareText(*state));
    };
}

ProgressLine::ProgressLine() : m_terminal(::isatty(STDERR_FILENO) == 1 && !isDumb()) {}

ProgressLine::~ProgressLine() { wipe(); }

void ProgressLine::wipe()
{
    if (std::exchange(m_written, false))
        std::fputs("\r\033[K", stderr);
}

void ProgressLine::show(const std::string& text)
{
    if (!m_terminal)
        return;
    const std::string line = "\r" + shortened(m_beginning + text, terminalWidth() - 1)
                             + "\033[K";   // one write per line avoids flicker
    std::fwrite(line.data(), 1, line.size(), stderr);
    std::fflush(stderr);
    m_written = true;
}

namespace {

std::atomic<int> caught{0};   // the signal that requested the stop; 0: none
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may touch it");

constexpr int asking[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};

/// A second signal of the same kind ends the program, except SIGXCPU, which repeats every second
/// until the hard limit.
void handle(int signal)
{
    caught = signal;
    if (signal != SIGXCPU)
        std::signal(signal, SIG_DFL);
}

/// Under nohup a lost terminal is ignored.
bool isIgnored(int signal)
{
    struct sigaction now {};
    return ::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

/// The kernel kills the process at the hard CPU limit. The soft limit is set slightly lower, so
/// that SIGXCPU leaves time to save the state.
void warnBeforeCpuLimit()
{
    rlimit limit{};
    if (::getrlimit(RLIMIT_CPU, &limit) != 0 || limit.rlim_max == RLIM_INFINITY || limit.rlim_cur < limit.rlim_max)
        return;
    constexpr rlim_t least = 1, most = 60;   // seconds of CPU time
    const rlim_t margin = std::clamp(limit.rlim_max / 10, least, most);
    limit.rlim_cur      = limit.rlim_max > margin ? limit.rlim_max - margin : limit.rlim_max;
    ::setrlimit(RLIMIT_CPU, &limit);
}

void writeError(std::string_view sentence) { (void)!::write(STDERR_FILENO, sentence.data(), sentence.size()); }

}   // namespace

Interrupt::Interrupt(std::chrono::milliseconds patience) : m_patience(patience)
{
    std::signal(SIGPIPE,
                SIG_IGN);   // if the reader of a pipe exits, the work still finishes and writes its files
    caught = 0;
    warnBeforeCpuLimit();
    for (const int signal : asking)
        if (signal != SIGHUP || !isIgnored(signal))
            std::signal(signal, handle);
    m_watcher = std::jthread([this](const std::stop_token& end) { watch(end); });
}

Interrupt::~Interrupt()
{
    for (const int signal : asking)
        if (!isIgnored(signal))
            std::signal(signal, SIG_DFL);
}

void Interrupt::watch(const std::stop_token& end)
{
    constexpr std::chrono::milliseconds beat(20);
    while (!end.stop_requested() && caught == 0)
        std::this_thread::sleep_for(beat);
    if (caught == 0)
        return;
    if (caught == SIGXCPU)
        writeError("\ncredence: The CPU time limit is nearly reached (ulimit -t); stopping here.\n");
    m_source.request_stop();
    for (auto waited = beat * 0; !end.stop_requested(); waited += m_paused > 0 ? beat * 0 : beat) {
        if (waited > m_patience.load()) {
            writeError("\ncredence: Cancelled.\n");
            std::_Exit(exitCancelled);
        }
        std::this_thread::sleep_for(beat);
    }
}

namespace {

/// A number of megabytes, or of kilobytes if below one.
std::string amount(double bytes, bool kilo)
{
    return kilo ? credence::fixed_text(bytes / 1e3, 0) : credence::fixed_text(bytes / 1e6, 1);
}

const char* unit(bool kilo) { return kilo ? " kB" : " MB"; }

}   // namespace

std::string bytesText(std::uint64_t bytes)
{
    const bool kilo = bytes < 1'000'000;
    return amount(static_cast<double>(bytes), kilo) + unit(kilo);
}

std::string fetchText(const FetchProgress& progress)
{
    std::string text = progress.file;
    if (progress.phase == FetchProgress::Phase::checking)
        return "checking " + (text.empty() ? "existing files" : text) + " …";
    if (progress.files > 1)
        text += " (" + std::to_string(progress.number) + " of " + std::to_string(progress.files) + ")";
    if (progress.total > 0) {
        const bool kilo = progress.total < 1'000'000;
        text += " · " + amount(static_cast<double>(progress.received), kilo) + " of " + bytesText(progress.total);
    } else if (progress.received > 0) {
        text += " · " + bytesText(progress.received);
    }
    if (progress.bytesPerSecond > 0)
        text += " · " + bytesText(static_cast<std::uint64_t>(progress.bytesPerSecond)) + "/s";
    if (progress.secondsLeft)
        text += " · " + clockText(*progress.secondsLeft) + " left";
    return text;
}
