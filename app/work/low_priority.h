// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

// The event loop must have priority over training on all cores. Linux gives each thread its own
// nice value; a waking thread with a lower one runs at once. No TBB header is included here: Qt's
// `emit` conflicts with them.

inline constexpr int trainingNiceness = 10;
inline constexpr int viewNiceness     = 12;   ///< charts have lower priority than training steps

/// Permanently lowers the priority of the calling thread (raising it needs privileges). Failure is
/// harmless and ignored.
void lowerThisThread(int niceness);

/// CPU time of the calling thread so far, excluding time spent waiting for a core.
double threadSeconds();

/// While alive, lowers the priority of every thread that joins the parallel work of the enclosing
/// `credence::Threads::run`. Create it inside `run`.
class LowerHelpers {
public:
    explicit LowerHelpers(int niceness);
    ~LowerHelpers();
    LowerHelpers(const LowerHelpers&)            = delete;
    LowerHelpers& operator=(const LowerHelpers&) = delete;

private:
    struct Observer;
    std::unique_ptr<Observer> m_observer;
};
