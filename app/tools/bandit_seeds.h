// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bandits/bandit_courses.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

/// The courses of several agents with several seeds each, as they come to their ends. What is finished stays, and is not run again.
class BanditSeeds {
public:
    struct Events {
        std::function<void()> finished;               ///< another course; on one thread at a time
        std::function<void(double share)> progress;   ///< of all; on one thread at a time
    };
    /// Runs what is missing of these agents, in the threads of the enclosing Threads::run. They differ in agent and learner alone.
    /// @throws Error  of the first course that fails
    void run(const std::vector<credence::BanditStudy>& agents, const std::stop_token& stop, const Events& events);
    /// Regret of what is finished of the agents that were asked for last, with bands, and its table. Any thread.
    /// @param relative  uniform choice = 100
    credence::Chart chart(bool relative) const;
    long finished() const;   ///< courses of the agents that were asked for last

private:
    mutable std::mutex m_mutex;
    std::vector<credence::BanditStudy> m_agents;
    std::map<std::string, std::vector<credence::BanditCourse>> m_courses;   // by bandit_hash
    std::vector<credence::BanditCourse> m_uniform;                          // with the same seeds

    std::vector<credence::AgentCourses> wanted() const;   // with the mutex
};
