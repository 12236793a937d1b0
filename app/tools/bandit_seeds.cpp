// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/bandit_seeds.h"

#include "tools/bandit_play.h"

#include "bandits/regret_chart.h"
#include "foundation/number_text.h"

#include <algorithm>

using namespace credence;

namespace {

const BanditCourse* courseWith(const std::vector<BanditCourse>& courses, std::uint64_t seed)
{
    const auto found = std::find_if(courses.begin(), courses.end(),
                                    [seed](const BanditCourse& one) { return one.seed == seed; });
    return found == courses.end() ? nullptr : &*found;
}

/// As uniform_courses, but can be stopped.
std::vector<BanditCourse> coursesOfUniform(BanditStudy study, const std::shared_ptr<const BanditWorld>& world,
                                           const std::vector<std::uint64_t>& seeds, const std::stop_token& stop)
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
    auto uniform     = coursesOfUniform(agents.front(), world, seeds, stop);
    if (stop.stop_requested())
        return;
    {
        const std::scoped_lock lock(m_mutex);
        m_agents  = agents;
        m_uniform = std::move(uniform);
    }
    for (std::size_t a = 0; a < agents.size() && !stop.stop_requested(); ++a) {
        const std::string key = bandit_hash(agents[a]);
        std::vector<std::uint64_t> missing;
        {
            const std::scoped_lock lock(m_mutex);
            for (const auto seed : seeds)
                if (!courseWith(m_courses[key], seed))
                    missing.push_back(seed);
        }
        const auto notify = [&](double share) {
            events.progress((static_cast<double>(a) + share) / static_cast<double>(agents.size()));
        };
        const CourseEvents courses{
            .finished =
                [&](const BanditCourse& course) {
            {
                const std::scoped_lock lock(m_mutex);
                auto& all = m_courses[key];
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
    for (const auto& study : m_agents) {
        AgentCourses agent{.id = study.name, .study = study, .courses = {}};
        if (const auto found = m_courses.find(bandit_hash(study)); found != m_courses.end())
            for (const auto seed : seeds_of(study))
                if (const auto* course = courseWith(found->second, seed))
                    agent.courses.push_back(*course);
        if (!agent.courses.empty())
            out.push_back(std::move(agent));
    }
    return out;
}

long BanditSeeds::finished() const
{
    const std::scoped_lock lock(m_mutex);
    long n = 0;
    for (const auto& agent : wanted())
        n += static_cast<long>(agent.courses.size());
    return n;
}

Chart BanditSeeds::chart(bool relative) const
{
    const std::scoped_lock lock(m_mutex);
    const auto agents = wanted();
    if (agents.empty())
        return {.id      = "bandit_seeds",
                .title   = "Regret over several seeds",
                .message = m_agents.empty() ? "Press All seeds to run every ticked agent with each seed."
                                            : "No course has finished yet."};
    std::vector<RegretCurves> curves, partners;
    for (const auto& agent : agents) {
        curves.push_back(curves_of(agent));
        AgentCourses partner{.id = "uniform", .study = agent.study, .courses = {}};
        for (const auto& course : agent.courses)
            if (const auto* same = courseWith(m_uniform, course.seed))
                partner.courses.push_back(*same);
        partners.push_back(curves_of(partner));
        relative = relative && partner.courses.size() == agent.courses.size()
                   && clear_regret_of_uniform(partners.back());
    }
    Chart chart       = relative ? regret_chart(curves, partners) : regret_chart(curves);
    chart.id          = "bandit_seeds";
    chart.title       = "Regret over several seeds";
    chart.table       = summary_table(agents, std::vector(agents.size(), m_uniform));
    const auto& study = agents.front().study;
    chart.caption += " " + worldInWords(study.world) + ", seeds " + std::to_string(study.seed) + " to "
                     + std::to_string(study.seed + static_cast<std::uint64_t>(study.course.seeds) - 1) + ", "
                     + grouped_text(study.course.steps) + " interactions each.";
    return chart;
}
