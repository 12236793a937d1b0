// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/experiment.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

/// Makes a Study ready (reads and splits data, draws the start) on a thread of its own. A newer Study replaces one that still waits.
class ExperimentMaker {
public:
    struct Answer {
        int         request = 0;
        std::shared_ptr<const credence::Experiment> experiment;   ///< null: refused
        std::string field;                                        ///< where the mistake is, may be empty
        std::string sentence;
    };
    using Deliver = std::function<void(Answer)>;   ///< called on the maker's thread

    explicit ExperimentMaker(Deliver deliver);
    ~ExperimentMaker();   ///< stops and waits

    int submit(const credence::Study& study);   ///< @return the number that the answer will carry

private:
    void work(std::stop_token stop);

    Deliver m_deliver;
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::optional<credence::Study> m_waiting;
    int m_latest = 0;
    std::jthread m_thread;   // last: starts when the rest is there, ends first
};
