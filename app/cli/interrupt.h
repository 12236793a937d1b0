// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <stop_token>
#include <thread>

/// While alive, turns Ctrl+C (SIGINT), SIGTERM, a lost terminal (SIGHUP) and the CPU time limit
/// (SIGXCPU) into a stop request. If the work has not ended some seconds later, the program exits
/// with status 130; no file is left half written, since each is renamed when complete. A second
/// signal of the same kind ends the program at once. A closed pipe (SIGPIPE) is ignored from the
/// first Interrupt on.
class Interrupt {
public:
    explicit Interrupt(std::chrono::milliseconds patience = std::chrono::seconds(3));
    ~Interrupt();
    std::stop_token token() const { return m_source.get_token(); }
    bool requested() const { return m_source.stop_requested(); }
    void setPatience(std::chrono::milliseconds patience) { m_patience = patience; }

    /// While alive, prevents the forced exit, so that results computed so far can be written.
    class Hold {
    public:
        explicit Hold(const Interrupt& interrupt) : m_paused(interrupt.m_paused) { ++m_paused; }
        ~Hold() { --m_paused; }
        Hold(const Hold&)            = delete;
        Hold& operator=(const Hold&) = delete;

    private:
        std::atomic<int>& m_paused;
    };

private:
    void watch(const std::stop_token& end);

    std::atomic<std::chrono::milliseconds> m_patience;
    std::stop_source m_source;
    mutable std::atomic<int> m_paused{0};
    std::jthread m_watcher;
};
