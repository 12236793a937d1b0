// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandits/bandit_courses.h"

#include "figures/regret_chart.h"

#include "foundation/parallel.h"
#include "foundation/stopwatch.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <stdexcept>

namespace credence {
namespace {

constexpr double seconds_between_tellings = 0.1;

/// Who listens to several courses: one at a time, and of progress not too often.
class Listener {
public:
    Listener(const CourseEvents& events, long all) : events_(events), all_(all) {}

    void add(long interactions)
    {
        const std::scoped_lock lock(mutex_);
        done_ += interactions;
        if (!events_.progress || (since_.seconds() < seconds_between_tellings && done_ < all_))
            return;
        since_ = {};
        events_.progress(done_, all_);
    }
    void finished(const BanditCourse& course)
    {
        const std::scoped_lock lock(mutex_);
        if (events_.finished)
            events_.finished(course);
    }

private:
    const CourseEvents& events_;
    std::mutex mutex_;
    long all_, done_ = 0;
    Stopwatch since_;
};

/// One course. Empty: stopped.
std::optional<BanditCourse> one_course(const BanditStudy& study, const std::shared_ptr<const BanditWorld>& world,
                                       std::uint64_t seed, const std::stop_token& stop, Listener& listener)
{
    constexpr long told_together = 16;
    const Stopwatch watch;
    BanditRun run(world, study, seed);
    const long steps = study.course.steps;
    BanditCourse course{.seed = seed, .steps = recorded_interactions(steps), .cumulative = {}};
    course.cumulative.reserve(course.steps.size());
    for (long t = 0; t < steps; ++t) {
        if (stop.stop_requested())
            return {};
        const BanditStep& step = run.step();
        course.quarters[static_cast<std::size_t>(4 * t / steps)].add(step.context.edible, step.eaten);
        if (course.steps[course.cumulative.size()] == step.step)
            course.cumulative.push_back(step.cumulative);
        if ((t + 1) % told_together == 0)
            listener.add(told_together);
    }
    course.seconds = watch.seconds();
    listener.add(steps % told_together);
    return course;
}

}   // namespace

EatenCounts BanditCourse::counts() const
{
    EatenCounts all;
    for (const auto& quarter : quarters)
        all += quarter;
    return all;
}

std::vector<long> recorded_interactions(long steps, int most)
{
    const long n = std::min<long>(steps, most);
    std::vector<long> recorded;
    for (long i = 1; i <= n; ++i)
        recorded.push_back(i * (steps / n) + i * (steps % n) / n);
    return recorded;
}

std::vector<std::uint64_t> seeds_of(const BanditStudy& study)
{
    std::vector<std::uint64_t> seeds(static_cast<std::size_t>(study.course.seeds));
    std::iota(seeds.begin(), seeds.end(), study.seed);
    return seeds;
}

std::vector<BanditCourse> run_bandit(const BanditStudy& study, std::shared_ptr<const BanditWorld> world,
                                     std::span<const std::uint64_t> seeds, std::stop_token stop,
                                     const CourseEvents& events)
{
    check(study);
    Listener listener(events, study.course.steps * static_cast<long>(seeds.size()));
    std::vector<std::optional<BanditCourse>> courses(seeds.size());
    parallel_for(seeds.size(), [&](std::size_t i) {
        courses[i] = one_course(study, world, seeds[i], stop, listener);
        if (courses[i])
            listener.finished(*courses[i]);
    });
    std::vector<BanditCourse> ended;
    for (auto& course : courses)
        if (course)
            ended.push_back(std::move(*course));
    return ended;
}

MeanAndSd AgentCourses::regret() const
{
    std::vector<double> ends;
    for (const auto& course : courses)
        ends.push_back(course.regret());
    return mean_and_sd(ends).value_or(MeanAndSd());
}

std::vector<BanditCourse> uniform_courses(const BanditStudy& study, const BanditWorld& world,
                                          std::span<const std::uint64_t> seeds)
{
    BanditStudy uniform = study;
    uniform.agent       = {.kind = AgentKind::uniform};
    // The world is the caller's, who outlives the courses.
    const std::shared_ptr<const BanditWorld> borrowed(std::shared_ptr<const BanditWorld>(), &world);
    return run_bandit(uniform, borrowed, seeds);
}

std::optional<RelativeRegret> relative_regret(std::span<const BanditCourse> courses,
                                              std::span<const BanditCourse> uniform)
{
    RegretCurves partners;
    std::vector<double> own, theirs;
    for (const auto& course : courses) {
        const auto same = std::find_if(uniform.begin(), uniform.end(),
                                       [&](const BanditCourse& one) { return one.seed == course.seed; });
        if (same == uniform.end())
            throw std::invalid_argument("there is no course of the uniform choice with this seed");
        partners.cumulative.push_back(same->cumulative);
        own.push_back(course.regret());
        theirs.push_back(same->regret());
    }
    const auto whole = clear_regret_of_uniform(partners);
    const auto mean  = mean_and_sd(own);
    if (!whole || !mean)
        return {};
    const auto n       = static_cast<double>(own.size());
    const double ratio = mean->mean / *whole;
    RelativeRegret relative{100 * ratio};
    if (own.size() > 1) {
        double squares = 0;
        for (std::size_t s = 0; s < own.size(); ++s)
            squares += (own[s] - ratio * theirs[s]) * (own[s] - ratio * theirs[s]);
        relative.standard_error = 100 / *whole * std::sqrt(squares / (n * (n - 1)));
    }
    return relative;
}

RegretCurves curves_of(const AgentCourses& agent)
{
    RegretCurves curves{.name = agent_title(agent.study), .steps = {}, .cumulative = {}};
    for (const auto& course : agent.courses) {
        if (curves.cumulative.empty())
            curves.steps = course.steps;
        if (course.steps == curves.steps)
            curves.cumulative.push_back(course.cumulative);
    }
    return curves;
}

Table summary_table(std::span<const AgentCourses> agents, std::span<const std::vector<BanditCourse>> uniform)
{
    Table table{.columns = {{"Agent"},
                            {"Seeds"},
                            {"Interactions"},
                            {"Regret", "", 0},
                            {"sd of regret", "", 0},
                            {"Relative regret", "%", 1},
                            {"Standard error of relative regret", "%", 1},
                            {"Edible eaten, last quarter", "%", 1},
                            {"Poisonous eaten, last quarter", "%", 1}},
                .rows    = {}};
    const auto cell = [](const std::optional<double>& value) { return value ? Cell(*value) : Cell(std::string("")); };
    for (std::size_t a = 0; a < agents.size(); ++a) {
        const auto& agent = agents[a];
        if (agent.courses.empty())
            continue;
        const auto regret   = agent.regret();
        const auto relative = relative_regret(agent.courses, uniform[a]);
        EatenCounts last;
        for (const auto& course : agent.courses)
            last += course.quarters.back();
        const auto share = [](long part, long rest) {
            return part + rest > 0 ? std::optional(100.0 * static_cast<double>(part) / static_cast<double>(part + rest))
                                   : std::nullopt;
        };
        table.rows.push_back(
            {agent_title(agent.study), static_cast<long>(agent.courses.size()), agent.study.course.steps, regret.mean,
             cell(regret.sd), cell(relative ? std::optional(relative->percent) : std::nullopt),
             cell(relative ? relative->standard_error : std::nullopt), cell(share(last.edible_eaten, last.edible_left)),
             cell(share(last.poisonous_eaten, last.poisonous_left))});
    }
    return table;
}

Table course_times_table(std::span<const AgentCourses> agents)
{
    Table table{.columns = {{"agent"}, {"seed"}, {"seconds"}}, .rows = {}};
    for (const auto& agent : agents)
        for (const auto& course : agent.courses)
            table.rows.push_back({agent.id, static_cast<long>(course.seed), course.seconds});
    return table;
}

Table regret_table(std::span<const AgentCourses> agents)
{
    Table table{.columns = {{"agent"}, {"seed"}, {"step"}, {"cumulative_regret"}}, .rows = {}};
    for (const auto& agent : agents)
        for (const auto& course : agent.courses)
            for (std::size_t i = 0; i < course.steps.size(); ++i)
                table.rows.push_back({agent.id, static_cast<long>(course.seed), course.steps[i], course.cumulative[i]});
    return table;
}

}   // namespace credence
