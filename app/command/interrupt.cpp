// SPDX-License-Identifier: GPL-3.0-or-later
#include "command/interrupt.h"

#include "command/command_line.h"

#include <csignal>
#include <cstdlib>
#include <string_view>
#include <unistd.h>

namespace {

std::atomic<bool> signalled{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch it");

void handle(int signal)
{
    signalled = true;
    std::signal(signal, SIG_DFL);
}

}   // namespace

Interrupt::Interrupt(std::chrono::milliseconds patience) : m_patience(patience)
{
    signalled = false;
    std::signal(SIGINT, handle);
    std::signal(SIGTERM, handle);
    m_watcher = std::jthread([this](const std::stop_token& end) { watch(end); });
}

Interrupt::~Interrupt()
{
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

void Interrupt::watch(const std::stop_token& end)
{
    constexpr std::chrono::milliseconds beat(20);
    while (!end.stop_requested() && !signalled)
        std::this_thread::sleep_for(beat);
    if (!signalled)
        return;
    m_source.request_stop();
    for (auto waited = beat * 0; !end.stop_requested(); waited += m_held > 0 ? beat * 0 : beat) {
        if (waited > m_patience.load()) {
            constexpr std::string_view sentence = "\ncredence: Cancelled.\n";
            (void)!::write(STDERR_FILENO, sentence.data(), sentence.size());
            std::_Exit(exitCancelled);
        }
        std::this_thread::sleep_for(beat);
    }
}
