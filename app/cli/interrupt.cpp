// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/interrupt.h"

#include "cli/command_line.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <sys/resource.h>
#include <unistd.h>

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
