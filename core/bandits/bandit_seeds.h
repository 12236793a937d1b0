// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bandits/bandit_courses.h"
#include "bandits/bandit_study.h"
#include "charts/chart.h"

#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

namespace credence {

/// The finished courses of several agents with several seeds each. Finished courses are reused.
class BanditSeeds {
public:
    struct Events {
        std::function<void()> finished;               ///< another course has finished; called on one thread at a time
        std::function<void(double share)> progress;   ///< of all courses; called on one thread at a time
    };
    /// Runs the missing courses of these agents, in the threads of the enclosing Threads::run. They
    /// differ only in agent and learner.
    /// @throws Error  of the first course that fails
    void run(const std::vector<BanditStudy>& agents, const std::stop_token& stop, const Events& events);
    /// Regret of the finished courses of the last requested agents, with bands, and its table.
    /// Thread-safe.
    /// @param relative  uniform choice = 100
    Chart chart(bool relative) const;
    long finished() const;   ///< of the last requested agents

private:
    mutable std::mutex mutex_;
    std::vector<BanditStudy> agents_;
    std::map<std::string, std::vector<BanditCourse>> courses_;   // by bandit_hash
    std::vector<BanditCourse> uniform_;                          // with the same seeds

    std::vector<AgentCourses> wanted() const;   // the caller holds the mutex
};

}   // namespace credence
