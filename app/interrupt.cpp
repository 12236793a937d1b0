// SPDX-License-Identifier: GPL-3.0-or-later
#include "interrupt.h"

#include <atomic>
#include <chrono>
#include <csignal>

namespace {

std::atomic<bool> signalled{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch it");

void handle(int signal)
{
    signalled = true;
    std::signal(signal, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt()
{
    signalled = false;
    std::signal(SIGINT, handle);
    std::signal(SIGTERM, handle);
    m_watcher = std::jthread([this](const std::stop_token& stop) {
        while (!stop.stop_requested() && !signalled)
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        if (signalled)
            m_source.request_stop();
    });
}

Interrupt::~Interrupt()
{
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}
