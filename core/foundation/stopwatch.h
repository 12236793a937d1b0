// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

namespace credence {

/// Seconds of wall time since it was made.
class Stopwatch {
public:
    using Clock = std::chrono::steady_clock;
    double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
    /// Time that does not count is taken off: that since another watch was started.
    void forget(const Stopwatch& pause) { begin_ += Clock::now() - pause.begin_; }

private:
    Clock::time_point begin_ = Clock::now();
};

}   // namespace credence
