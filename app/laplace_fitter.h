// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/experiment.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

/// Fits Laplace approximations to a net that is trained already, or moves their prior precision, on a thread of its own. A newer wish replaces one that
/// waits, and stops one at work, unless that is only a precision given by hand: then the picture follows the slider while it moves.
class LaplaceFitter {
public:
    struct Wish {
        std::shared_ptr<const credence::Experiment> experiment;
        std::shared_ptr<const credence::Snapshot>   at;   ///< point estimate, or an older fit: curvature that it has is used again
        credence::LaplaceOptions options;
    };
    struct Answer {
        int request = 0;
        std::shared_ptr<const credence::Snapshot> snapshot;   ///< null: refused
        std::string field;                                    ///< refused: the setting, may be empty
        std::string sentence;                                 ///< refused: why; else what is to be said of it, may be empty
    };
    struct Progress {
        int    request = 0;
        double share   = 0;
        std::optional<double> seconds_left;
    };

    /// Both are called on the fitter's thread. A wish that was stopped gets no answer.
    LaplaceFitter(std::function<void(Answer)> deliver, std::function<void(Progress)> tell);
    ~LaplaceFitter();   ///< stops and waits

    int  submit(Wish wish);   ///< @return the number that the answer will carry
    void cancel();            ///< what waits and what is at work

private:
    void work(std::stop_token stop);

    std::function<void(Answer)>   m_deliver;
    std::function<void(Progress)> m_tell;
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::optional<Wish> m_waiting;
    std::stop_source m_current;
    bool m_quick = false;   ///< is the one at work done in no time?
    int m_latest = 0;
    std::jthread m_thread;   // last: starts when the rest is there, ends first
};
