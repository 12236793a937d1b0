// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

namespace credence {

/// Measures wall time since construction, seconds.
class Stopwatch {
public:
    using Clock = std::chrono::steady_clock;
    double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
    /// Excludes the time since `pause` was started.
    void forget(const Stopwatch& pause) { begin_ += Clock::now() - pause.begin_; }

private:
    Clock::time_point begin_ = Clock::now();
};

}   // namespace credence
