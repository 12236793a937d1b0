// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandits/bandit_courses.h"

#include "bandits/bandit_play.h"
#include "bandits/regret_chart.h"
#include "foundation/number_text.h"

#include <algorithm>
#include <utility>

namespace credence {

namespace {

const BanditCourse* course_with_seed(const std::vector<BanditCourse>& courses, std::uint64_t seed)
{
    const auto found = std::find_if(courses.begin(), courses.end(),
                                    [seed](const BanditCourse& one) { return one.seed == seed; });
    return found == courses.end() ? nullptr : &*found;
}

/// As uniform_courses, but can be stopped.
std::vector<BanditCourse> stoppable_uniform_courses(BanditStudy study, const std::shared_ptr<const BanditWorld>& world,
                                                    const std::vector<std::uint64_t>& seeds,
                                                    const std::stop_token& stop)
{
    study.agent = {.kind = AgentKind::uniform};
    return run_bandit(study, world, seeds, stop);
}

}   // namespace

void BanditSeeds::run(const std::vector<BanditStudy>& agents, const std::stop_token& stop, const Events& events)
{
    if (agents.empty())
        return;
    const auto world = std::make_shared<const BanditWorld>(agents.front().world);
    const auto seeds = seeds_of(agents.front());
    auto uniform     = stoppable_uniform_courses(agents.front(), world, seeds, stop);
    if (stop.stop_requested())
        return;
    {
        const std::scoped_lock lock(mutex_);
        agents_  = agents;
        uniform_ = std::move(uniform);
    }
    for (std::size_t a = 0; a < agents.size() && !stop.stop_requested(); ++a) {
        const std::string key = bandit_hash(agents[a]);
        std::vector<std::uint64_t> missing;
        {
            const std::scoped_lock lock(mutex_);
            for (const auto seed : seeds)
                if (!course_with_seed(courses_[key], seed))
                    missing.push_back(seed);
        }
        const auto notify = [&](double share) {
            events.progress((static_cast<double>(a) + share) / static_cast<double>(agents.size()));
        };
        const CourseEvents courses{
            .finished =
                [&](const BanditCourse& course) {
            {
                const std::scoped_lock lock(mutex_);
                auto& all = courses_[key];
                all.insert(
                    std::upper_bound(all.begin(), all.end(), course.seed,
                                     [](std::uint64_t seed, const BanditCourse& one) { return seed < one.seed; }),
                    course);
            }
            events.finished();
            },
            .progress = [&](long done, long all) { notify(static_cast<double>(done) / static_cast<double>(all)); }};
        if (!missing.empty())
            run_bandit(agents[a], world, missing, stop, courses);
        else
            events.finished();
    }
}

std::vector<AgentCourses> BanditSeeds::wanted() const
{
    std::vector<AgentCourses> out;
    for (const auto& study : agents_) {
        AgentCourses agent{.id = study.name, .study = study, .courses = {}};
        if (const auto found = courses_.find(bandit_hash(study)); found != courses_.end())
            for (const auto seed : seeds_of(study))
                if (const auto* course = course_with_seed(found->second, seed))
                    agent.courses.push_back(*course);
        if (!agent.courses.empty())
            out.push_back(std::move(agent));
    }
    return out;
}

long BanditSeeds::finished() const
{
    const std::scoped_lock lock(mutex_);
    long n = 0;
    for (const auto& agent : wanted())
        n += static_cast<long>(agent.courses.size());
    return n;
}

Chart BanditSeeds::chart(bool relative) const
{
    const std::scoped_lock lock(mutex_);
    const auto agents = wanted();
    if (agents.empty())
        return {.id      = "bandit_seeds",
                .title   = "Regret over several seeds",
                .message = agents_.empty() ? "Press All seeds to run every ticked agent with each seed."
                                           : "No course has finished yet."};
    std::vector<RegretCurves> curves, partners;
    for (const auto& agent : agents) {
        curves.push_back(curves_of(agent));
        AgentCourses partner{.id = "uniform", .study = agent.study, .courses = {}};
        for (const auto& course : agent.courses)
            if (const auto* same = course_with_seed(uniform_, course.seed))
                partner.courses.push_back(*same);
        partners.push_back(curves_of(partner));
        relative = relative && partner.courses.size() == agent.courses.size()
                   && clear_regret_of_uniform(partners.back());
    }
    Chart chart       = relative ? regret_chart(curves, partners) : regret_chart(curves);
    chart.id          = "bandit_seeds";
    chart.title       = "Regret over several seeds";
    chart.table       = summary_table(agents, std::vector(agents.size(), uniform_));
    const auto& study = agents.front().study;
    chart.caption += " " + world_words(study.world) + ", seeds " + std::to_string(study.seed) + " to "
                     + std::to_string(study.seed + static_cast<std::uint64_t>(study.course.seeds) - 1) + ", "
                     + grouped_text(study.course.steps) + " interactions each.";
    return chart;
}

}   // namespace credence
