// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <stop_token>
#include <thread>

/// Turns Ctrl+C (SIGINT), SIGTERM, a lost terminal (SIGHUP) and the limit of CPU time (SIGXCPU) into a stop request while it lives. Work that has not ended some seconds later is left: the program exits (130), and no
/// file is half written, since each gets its name when it is whole. A second signal of the same kind ends the program at once, as usual.
/// From the first one on a closed pipe (SIGPIPE) ends nothing.
class Interrupt {
public:
    explicit Interrupt(std::chrono::milliseconds patience = std::chrono::seconds(3));
    ~Interrupt();
    std::stop_token token() const { return m_source.get_token(); }
    bool requested() const { return m_source.stop_requested(); }
    void setPatience(std::chrono::milliseconds patience) { m_patience = patience; }

    /// While it lives nothing is left: what was computed until the signal is being written.
    class Hold {
    public:
        explicit Hold(const Interrupt& interrupt) : m_held(interrupt.m_held) { ++m_held; }
        ~Hold() { --m_held; }
        Hold(const Hold&)            = delete;
        Hold& operator=(const Hold&) = delete;

    private:
        std::atomic<int>& m_held;
    };

private:
    void watch(const std::stop_token& end);

    std::atomic<std::chrono::milliseconds> m_patience;
    std::stop_source m_source;
    mutable std::atomic<int> m_held{0};
    std::jthread m_watcher;
};
