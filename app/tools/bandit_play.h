// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bandits/agent_beliefs.h"
#include "bandits/bandit_courses.h"
#include "bandits/bandit_run.h"
#include "bandits/bandit_study.h"
#include "charts/chart.h"

#include <array>
#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

/// An agent available on the bandit page.
struct BanditAgent {
    std::string id;   ///< "thompson/mean_field", "greedy/0.01", "greedy/own", "uniform"
    credence::BanditStudy study;
    bool usual = false;   ///< ticked initially
};

/// All agents of a world: Thompson sampling with each method that can learn online, greedy agents
/// with ε = 0, 1 and 5 % and the user's own ε, and the uniform choice. Presets define all their
/// settings; the others use those of their kind.
std::vector<BanditAgent> banditAgents(credence::WorldKind world, double ownEpsilon);

/// One agent of the page and its course. One thread advances it and draws its history; another can
/// query it meanwhile.
class BanditPlayer {
public:
    BanditPlayer(std::string id, credence::BanditStudy study) : m_id(std::move(id)), m_study(std::move(study)) {}

    // Only for the thread that advances it.
    void begin(const std::shared_ptr<const credence::BanditWorld>& world);   ///< Creates the network. @throws Error
    /// @throws Error; the course has then ended
    void step();
    bool over() const { return m_over; }
    long steps() const { return static_cast<long>(m_regret.size()); }
    const std::string& id() const { return m_id; }
    const credence::BanditStudy& study() const { return m_study; }
    const std::vector<double>& regret() const { return m_regret; }   ///< [interactions so far]
    const std::array<credence::EatenCounts, 4>& quarters() const { return m_quarters; }
    credence::EatenCounts counts() const;
    double seconds() const { return m_seconds; }   ///< total computing time of its interactions
    std::string happened() const;                  ///< the last interaction in words; empty before the first

    /// Its observations in the plane, newest last, and how many have been dropped.
    struct Memory {
        std::deque<credence::BeliefMap::Met> met;
        std::size_t leftOut = 0;
    };
    /// Thread-safe: calls `question` between two interactions, or never if the agent has not
    /// started.
    void ask(const std::function<void(const credence::BanditRun& run, const Memory& memory)>& question);

private:
    const std::string m_id;
    const credence::BanditStudy m_study;
    std::mutex m_turn;               // guards the run and the memory
    std::atomic<int> m_asking = 0;   // waiting threads have priority
    std::unique_ptr<credence::BanditRun> m_run;
    Memory m_memory;
    std::vector<double> m_regret;
    std::array<credence::EatenCounts, 4> m_quarters{};
    credence::BanditStep m_last{};
    double m_seconds = 0;
    bool m_over      = false;
};

/// Agents in one world with one seed: they see the same mushrooms and rewards.
class BanditPlay {
public:
    /// @param others  of an earlier play: agents with the same studies continue
    BanditPlay(const std::vector<std::pair<std::string, credence::BanditStudy>>& agents, const BanditPlay* others);

    void begin();   ///< Creates what does not exist yet. @throws Error
    /// One interaction of the agents with the fewest interactions. @throws Error  of an agent that
    /// has failed; the others have advanced
    void step(const std::stop_token& stop);
    long steps() const;             ///< of the agent that is furthest ahead
    long slowest() const;           ///< of the slowest agent that can continue
    long steps_of_course() const;   ///< length of the course, for one Play
    bool canGoOn() const;           ///< has any agent not ended?
    const std::vector<std::shared_ptr<BanditPlayer>>& players() const { return m_players; }

    /// All charts of one step that need no network evaluation.
    struct Frame {
        std::shared_ptr<const credence::Chart> regret, eaten, numbers;
        std::vector<std::string> happened;   ///< for each agent
        long steps = 0, slowest = 0;
    };
    Frame frame() const;

private:
    std::vector<BanditPlayer*> all() const;
    credence::Chart numbers() const;

    std::vector<std::shared_ptr<BanditPlayer>> m_players;
    std::shared_ptr<BanditPlayer> m_uniform;   // its regret is 100 %; possibly one of the agents
    std::shared_ptr<const credence::BanditWorld> m_world;
};

/// Describes the world of a study for captions: "Synthetic bandit, two moons, noise 0.15".
std::string worldInWords(const credence::WorldOptions& world);

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
    void run(const std::vector<credence::BanditStudy>& agents, const std::stop_token& stop, const Events& events);
    /// Regret of the finished courses of the last requested agents, with bands, and its table.
    /// Thread-safe.
    /// @param relative  uniform choice = 100
    credence::Chart chart(bool relative) const;
    long finished() const;   ///< of the last requested agents

private:
    mutable std::mutex m_mutex;
    std::vector<credence::BanditStudy> m_agents;
    std::map<std::string, std::vector<credence::BanditCourse>> m_courses;   // by bandit_hash
    std::vector<credence::BanditCourse> m_uniform;                          // with the same seeds

    std::vector<credence::AgentCourses> wanted() const;   // the caller holds the mutex
};
