// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bandits/bandit_run.h"
#include "charts/chart.h"
#include "figures/mean_and_sd.h"
#include "figures/regret_curves.h"

#include <array>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace credence {

/// What is kept of one course that came to its end.
struct BanditCourse {
    std::uint64_t seed = 1;
    std::vector<long> steps;          ///< the same for all courses of one length, at most 500, the last one among them
    std::vector<double> cumulative;   ///< regret up to each of them
    std::array<EatenCounts, 4> quarters{};   ///< of the course
    double seconds = 0;                      ///< wall time

    double regret() const { return cumulative.empty() ? 0 : cumulative.back(); }   ///< of the whole course
    EatenCounts counts() const;
    bool operator==(const BanditCourse&) const = default;
};

/// Interactions after which the regret is recorded: at most `most` of them, evenly, the last one among them.
std::vector<long> recorded_interactions(long steps, int most = 500);
/// study.seed, study.seed + 1, …: course.seeds of them.
std::vector<std::uint64_t> seeds_of(const BanditStudy& study);

struct CourseEvents {
    /// A course is at its end: once for each, on one thread at a time.
    std::function<void(const BanditCourse& course)> finished{};
    /// Interactions done of all. Throttled; on one thread at a time.
    std::function<void(long done, long all)> progress{};
};
/// The courses with these seeds, side by side on all threads of the enclosing Threads::run; each is a pure function of (study, seed).
/// @return  those that came to their end before `stop`, in the order of the seeds
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
/// What `study`'s world brings to one who eats every second one by chance, over the same seeds and steps: the regret that is 100 %. No net, a moment's work.
std::vector<BanditCourse> uniform_courses(const BanditStudy& study, const BanditWorld& world,
                                          std::span<const std::uint64_t> seeds);
/// 100 · mean regret / mean regret of the uniform choice with the same seeds.
struct RelativeRegret {
    double percent = 0;
    std::optional<double>
        standard_error{};   ///< of the ratio of the two means, linearised: Σ (a_s − R u_s)² / (n (n − 1)), in percent; empty for one seed
};
/// @param uniform  has a course for each seed of the agent's, of the same length
/// @return  empty: the regret of the uniform choice is not clearly above 0, see clear_regret_of_uniform
std::optional<RelativeRegret> relative_regret(std::span<const BanditCourse> courses,
                                              std::span<const BanditCourse> uniform);

/// For the figure. Courses of another length than the first are left out.
RegretCurves curves_of(const AgentCourses& agent);

/// Agent, seeds, regret (mean, sd), relative regret and its standard error, what was eaten in the last quarter: one row for each agent.
/// @param uniform  for each agent
Table summary_table(std::span<const AgentCourses> agents, std::span<const std::vector<BanditCourse>> uniform);
/// agent, seed, seconds: the wall time of each course.
Table course_times_table(std::span<const AgentCourses> agents);
/// agent, seed, step, cumulative_regret: tidy.
Table regret_table(std::span<const AgentCourses> agents);

}   // namespace credence
