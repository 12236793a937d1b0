// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bandits/bandit_run.h"
#include "bandits/bandit_study.h"
#include "bandits/regret_chart.h"
#include "charts/chart.h"
#include "foundation/statistics.h"

#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace credence {

/// The stored results of one finished course.
struct BanditCourse {
    std::uint64_t seed = 1;
    std::vector<long> steps;                 ///< the same for all courses of one length, at most 500,
                                             ///< including the last one
    std::vector<double> cumulative;          ///< regret up to each of them
    std::array<EatenCounts, 4> quarters{};   ///< of the course
    double seconds = 0;                      ///< wall time

    double regret() const { return cumulative.empty() ? 0 : cumulative.back(); }   ///< of the whole course
    EatenCounts counts() const;
    bool operator==(const BanditCourse&) const = default;
};

/// Interactions after which the regret is recorded: at most `most`, evenly spaced, including the
/// last one.
std::vector<long> recorded_interactions(long steps, int most = 500);
/// study.seed, study.seed + 1, …: course.seeds of them.
std::vector<std::uint64_t> seeds_of(const BanditStudy& study);

struct CourseEvents {
    /// A course has finished: once per course, on one thread at a time.
    std::function<void(const BanditCourse& course)> finished{};
    /// Interactions done, and their total. Throttled; on one thread at a time.
    std::function<void(long done, long all)> progress{};
};
/// Runs the courses with these seeds in parallel on all threads of the enclosing Threads::run; each
/// is a pure function of (study, seed).
/// @return  those that finished before `stop`, in the order of the seeds
/// @throws Error  of the first course that fails
std::vector<BanditCourse> run_bandit(const BanditStudy& study, std::shared_ptr<const BanditWorld> world,
                                     std::span<const std::uint64_t> seeds, std::stop_token stop = {},
                                     const CourseEvents& events = {});

/// An agent and its courses.
struct AgentCourses {
    std::string id;   ///< of the preset, or the file's name
    BanditStudy study;
    std::vector<BanditCourse> courses;

    MeanAndSd regret() const;   ///< at the end
};
/// The courses of the uniform choice in `study`'s world, over the same seeds and steps: their
/// regret counts as 100 %. No network, so this is fast.
std::vector<BanditCourse> uniform_courses(const BanditStudy& study, const BanditWorld& world,
                                          std::span<const std::uint64_t> seeds);
/// 100 · mean regret / mean regret of the uniform choice with the same seeds.
struct RelativeRegret {
    double percent = 0;
    std::optional<double> standard_error{};   ///< of the ratio of the two means, linearised: Σ (a_s − R u_s)² / (n (n
                                              ///< − 1)), in percent; empty for one seed
};
/// @param uniform  has a course of the same length for each seed of the agent
/// @return  empty: the regret of the uniform choice is not clearly above 0, see
/// clear_regret_of_uniform
std::optional<RelativeRegret> relative_regret(std::span<const BanditCourse> courses,
                                              std::span<const BanditCourse> uniform);

/// For the figure. Courses with a different length from the first are left out.
RegretCurves curves_of(const AgentCourses& agent);

/// Agent, seeds, regret (mean, sd), relative regret and its standard error, share eaten in the last
/// quarter: one row per agent.
/// @param uniform  for each agent
Table summary_table(std::span<const AgentCourses> agents, std::span<const std::vector<BanditCourse>> uniform);
/// agent, seed, seconds: the wall time of each course.
Table course_times_table(std::span<const AgentCourses> agents);
/// agent, seed, step, cumulative_regret: tidy.
Table regret_table(std::span<const AgentCourses> agents);

/// The file of a finished course: folder/courses/HASH-SEED.json. HASH is bandit_hash: other
/// settings give another file.
std::filesystem::path course_file(const std::filesystem::path& folder, const BanditStudy& study, std::uint64_t seed);
/// Written completely or not at all; creates the folder. The wall time is in a file of its own,
/// folder/course_times/HASH-SEED.json, so that courses of two runs compare equal.
void keep_course(const std::filesystem::path& folder, const BanditStudy& study, const BanditCourse& course);
/// Empty: the file is missing or is not a course of this study, so the course has to be run.
std::optional<BanditCourse> kept_course(const std::filesystem::path& folder, const BanditStudy& study,
                                        std::uint64_t seed);

/// For each agent: id, title, study, final regret and relative regret (mean, sd, each seed), and
/// what was eaten in each quarter of the course. Relative regret is null if it is not clear.
std::string bandit_results_text(std::span<const AgentCourses> agents,
                                std::span<const std::vector<BanditCourse>> uniform);

/// Writes results.json, regret.csv, summary.csv and times.csv (wall times), each completely or not
/// at all.
void write_bandit(const std::filesystem::path& folder, std::span<const AgentCourses> agents,
                  std::span<const std::vector<BanditCourse>> uniform);

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
