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
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace credence {

/// An agent that can be played.
struct BanditAgent {
    std::string id;   ///< "thompson/mean_field", "greedy/0.01", "greedy/own", "uniform"
    BanditStudy study;
    bool usual = false;   ///< selected by default
};

/// All agents of a world: Thompson sampling with each method that can learn online, greedy agents
/// with ε = 0, 1 and 5 % and the user's own ε, and the uniform choice. Presets define all their
/// settings; the others use those of their kind.
std::vector<BanditAgent> bandit_agents(WorldKind world, double own_epsilon);

/// One agent and its course. One thread advances it and draws its history; another can
/// query it meanwhile.
class BanditPlayer {
public:
    BanditPlayer(std::string id, BanditStudy study) : id_(std::move(id)), study_(std::move(study)) {}

    // Only for the thread that advances it.
    void begin(const std::shared_ptr<const BanditWorld>& world);   ///< Creates the network. @throws Error
    /// @throws Error; the course has then ended
    void step();
    bool over() const { return over_; }
    long steps() const { return static_cast<long>(regret_.size()); }
    const std::string& id() const { return id_; }
    const BanditStudy& study() const { return study_; }
    const std::vector<double>& regret() const { return regret_; }   ///< [interactions so far]
    const std::array<EatenCounts, 4>& quarters() const { return quarters_; }
    EatenCounts counts() const;
    double seconds() const { return seconds_; }   ///< total computing time of its interactions
    std::string happened() const;                 ///< the last interaction in words; empty before the first

    /// Its observations in the plane, newest last, and how many have been dropped.
    struct Memory {
        std::deque<BeliefMap::Met> met;
        std::size_t left_out = 0;
    };
    /// Thread-safe: calls `question` between two interactions, or never if the agent has not
    /// started.
    void ask(const std::function<void(const BanditRun& run, const Memory& memory)>& question);

private:
    const std::string id_;
    const BanditStudy study_;
    std::mutex turn_;               // guards the run and the memory
    std::atomic<int> asking_ = 0;   // waiting threads have priority
    std::unique_ptr<BanditRun> run_;
    Memory memory_;
    std::vector<double> regret_;
    std::array<EatenCounts, 4> quarters_{};
    BanditStep last_{};
    double seconds_ = 0;
    bool over_      = false;
};

/// Agents in one world with one seed: they see the same mushrooms and rewards.
class BanditPlay {
public:
    /// @param others  of an earlier play: agents with the same studies continue
    BanditPlay(const std::vector<std::pair<std::string, BanditStudy>>& agents, const BanditPlay* others);

    void begin();   ///< Creates what does not exist yet. @throws Error
    /// One interaction of the agents with the fewest interactions. @throws Error  of an agent that
    /// has failed; the others have advanced
    void step(const std::stop_token& stop);
    long steps() const;             ///< of the agent that is furthest ahead
    long slowest() const;           ///< of the slowest agent that can continue
    long steps_of_course() const;   ///< length of the course, for one Play
    bool can_continue() const;      ///< has any agent not ended?
    const std::vector<std::shared_ptr<BanditPlayer>>& players() const { return players_; }

    /// All charts of one step that need no network evaluation.
    struct Frame {
        std::shared_ptr<const Chart> regret, eaten, numbers;
        std::vector<std::string> happened;   ///< for each agent
        long steps = 0, slowest = 0;
    };
    Frame frame() const;

private:
    std::vector<BanditPlayer*> all() const;
    Chart numbers() const;

    std::vector<std::shared_ptr<BanditPlayer>> players_;
    std::shared_ptr<BanditPlayer> uniform_;   // its regret is 100 %; possibly one of the agents
    std::shared_ptr<const BanditWorld> world_;
};

/// Describes the world of a study for captions: "Synthetic bandit, two moons, noise 0.15".
std::string world_words(const WorldOptions& world);

}   // namespace credence
