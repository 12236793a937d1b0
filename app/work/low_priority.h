// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

// The event loop must win against training on all cores. Linux gives each thread a nice value of its own; a thread that wakes up with a lower
// one runs at once. No TBB header is visible here: Qt's `emit` clashes with them.

inline constexpr int trainingNiceness = 10;
inline constexpr int viewNiceness     = 12;   ///< pictures come after training steps

/// Lowers the priority of the calling thread for good (without privileges it cannot be raised again). Failure is harmless and ignored.
void lowerThisThread(int niceness);

/// CPU time of the calling thread so far: what its work takes from others, however long it had to wait for a core.
double threadSeconds();

/// While alive, every thread that joins the parallel work of the enclosing `credence::Threads::run` is lowered too. Make it inside `run`.
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
