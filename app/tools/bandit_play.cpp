// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/bandit_play.h"

#include "bandits/agent_beliefs.h"
#include "bandits/regret_chart.h"
#include "foundation/number_text.h"
#include "foundation/parallel.h"
#include "foundation/progress.h"

#include <algorithm>
#include <chrono>
#include <thread>

using namespace credence;

namespace {

std::vector<BanditStudy> presetsOf(WorldKind world, AgentKind kind)
{
    std::vector<BanditStudy> out;
    for (const auto& preset : bandit_presets())
        if (preset.study.world.kind == world && preset.study.agent.kind == kind)
            out.push_back(preset.study);
    return out;
}

/// The base of agents that are not presets.
BanditStudy baseOf(WorldKind world, AgentKind kind)
{
    if (const auto same = presetsOf(world, kind); !same.empty())
        return same.front();
    BanditStudy study = bandit_presets().front().study;
    study.world       = {.kind = world};
    study.agent.kind  = kind;
    if (const auto methods = methods_of_agents(kind); kind != AgentKind::uniform && !methods.empty())
        set_bandit_method(study, methods.front());
    return study;
}

}   // namespace

std::vector<BanditAgent> banditAgents(WorldKind world, double ownEpsilon)
{
    std::vector<BanditAgent> out;
    const auto has = [&out](const std::string& id) {
        return std::any_of(out.begin(), out.end(), [&id](const BanditAgent& agent) { return agent.id == id; });
    };
    const auto addThompson = [&](BanditStudy study) {
        const std::string method = study.learner.posterior.family, id = "thompson/" + method;
        if (!has(id))
            out.push_back({id, std::move(study), method == "mean_field"});
    };
    for (auto& study : presetsOf(world, AgentKind::thompson))
        addThompson(std::move(study));
    for (const auto& method : methods_of_agents(AgentKind::thompson)) {
        BanditStudy study = baseOf(world, AgentKind::thompson);
        set_bandit_method(study, method);
        addThompson(std::move(study));
    }
    const auto addGreedy = [&](const std::string& name, double epsilon, bool usual) {
        BanditStudy study   = baseOf(world, AgentKind::greedy);
        study.agent.epsilon = epsilon;
        out.push_back({"greedy/" + name, std::move(study), usual});
    };
    constexpr double ofBlundell[]{0, 0.01, 0.05};
    for (const double epsilon : ofBlundell)
        addGreedy(plain_text(epsilon), epsilon, epsilon == 0.01);
    if (std::find(std::begin(ofBlundell), std::end(ofBlundell), ownEpsilon) == std::end(ofBlundell))
        addGreedy("own", ownEpsilon, false);
    out.push_back({"uniform", baseOf(world, AgentKind::uniform), true});
    return out;
}

namespace {

constexpr std::size_t mostMet = 400;   // points drawn on a map

std::optional<double> shareOf(long part, long rest)
{
    return part + rest > 0 ? std::optional(static_cast<double>(part) / static_cast<double>(part + rest)) : std::nullopt;
}

/// Unknown values are a dash.
Cell cellOf(const std::optional<double>& value, double factor = 1)
{
    return value ? Cell(factor * *value) : Cell(std::string("–"));
}

/// End of the axis: doubles from time to time, up to the end of the course.
long endOfAxis(long done, long course)
{
    long end = 100;
    while (end < done)
        end *= 2;
    return std::max({1L, done, std::min(end, course)});
}

RegretCurves curvesOf(const BanditPlayer& player)
{
    RegretCurves out{.name = agent_title(player.study()), .steps = {}, .cumulative = {}};
    out.cumulative.resize(1);
    if (player.steps() > 0)
        out.steps = recorded_interactions(player.steps());
    for (const long step : out.steps)
        out.cumulative[0].push_back(player.regret()[static_cast<std::size_t>(step - 1)]);
    return out;
}

EatenShares eatenShares(const BanditPlayer& player)
{
    EatenShares out{.name = agent_title(player.study()), .edible = {}, .poisonous = {}};
    for (const auto& quarter : player.quarters()) {
        out.edible.push_back(shareOf(quarter.edible_eaten, quarter.edible_left));
        out.poisonous.push_back(shareOf(quarter.poisonous_eaten, quarter.poisonous_left));
    }
    return out;
}

std::shared_ptr<const Chart> sharedChart(Chart chart) { return std::make_shared<const Chart>(std::move(chart)); }

}   // namespace

void BanditPlayer::begin(const std::shared_ptr<const BanditWorld>& world)
{
    if (m_run)
        return;
    auto run = std::make_unique<BanditRun>(world, m_study, m_study.seed);
    const std::scoped_lock lock(m_turn);
    m_run = std::move(run);
}

void BanditPlayer::step()
{
    while (m_asking > 0)   // with a plain mutex, the thread that just released it would often get it again
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const std::scoped_lock lock(m_turn);
    const Stopwatch watch;
    try {
        m_last = m_run->step();
    } catch (...) {
        m_over = true;
        throw;
    }
    m_seconds += watch.seconds();
    m_regret.push_back(m_last.cumulative);
    const long quarter = std::min(3L, 4 * (m_last.step - 1) / std::max(1L, m_study.course.steps));
    m_quarters[static_cast<std::size_t>(quarter)].add(m_last.context.edible, m_last.eaten);
    if (!m_run->world().is_plane())
        return;
    m_memory.met.push_back(
        {m_last.context.inputs.at(0), m_last.context.inputs.at(1), m_last.context.edible, m_last.eaten});
    if (m_memory.met.size() > mostMet) {
        m_memory.met.pop_front();
        ++m_memory.leftOut;
    }
}

EatenCounts BanditPlayer::counts() const
{
    EatenCounts all;
    for (const auto& quarter : m_quarters)
        all += quarter;
    return all;
}

std::string BanditPlayer::happened() const
{
    if (m_regret.empty())
        return {};
    return (m_last.context.edible ? "an edible one was " : "a poisonous one was ")
           + std::string(m_last.eaten ? "eaten" : "left") + (m_last.by_chance ? " by chance" : "") + ": reward "
           + reward_text(m_last.reward) + ", regret " + reward_text(m_last.regret());
}

void BanditPlayer::ask(const std::function<void(const BanditRun&, const Memory&)>& question)
{
    ++m_asking;
    const std::scoped_lock lock(m_turn);
    --m_asking;
    if (m_run)
        question(*m_run, m_memory);
}

BanditPlay::BanditPlay(const std::vector<std::pair<std::string, BanditStudy>>& agents, const BanditPlay* others)
{
    for (const auto& [id, study] : agents) {
        std::shared_ptr<BanditPlayer> player;
        if (others)
            for (const auto& other : others->m_players)
                if (other->id() == id && other->study() == study)
                    player = other;
        if (!player)
            player = std::make_shared<BanditPlayer>(id, study);
        if (study.agent.kind == AgentKind::uniform && !m_uniform)
            m_uniform = player;
        m_players.push_back(std::move(player));
    }
    if (m_uniform || m_players.empty())
        return;
    BanditStudy uniform = m_players.front()->study();
    uniform.agent       = {.kind = AgentKind::uniform};
    const auto same     = [&uniform](const BanditStudy& study) {   // its network is never used
        return study.seed == uniform.seed && study.world == uniform.world && study.course == uniform.course;
    };
    m_uniform = others && others->m_uniform && same(others->m_uniform->study())
                    ? others->m_uniform
                    : std::make_shared<BanditPlayer>("uniform", uniform);
}

std::vector<BanditPlayer*> BanditPlay::all() const
{
    std::vector<BanditPlayer*> out;
    for (const auto& player : m_players)
        out.push_back(player.get());
    if (m_uniform && std::find(out.begin(), out.end(), m_uniform.get()) == out.end())
        out.push_back(m_uniform.get());
    return out;
}

void BanditPlay::begin()
{
    if (m_players.empty())
        return;
    if (!m_world)
        m_world = std::make_shared<const BanditWorld>(m_players.front()->study().world);
    for (auto* player : all())
        player->begin(m_world);
}

long BanditPlay::steps() const
{
    long most = 0;
    for (const auto& player : m_players)
        most = std::max(most, player->steps());
    return most;
}

long BanditPlay::slowest() const
{
    long least = steps();
    for (const auto* player : all())
        if (!player->over())
            least = std::min(least, player->steps());
    return least;
}

long BanditPlay::steps_of_course() const { return m_players.empty() ? 0 : m_players.front()->study().course.steps; }

bool BanditPlay::canGoOn() const
{
    return std::any_of(m_players.begin(), m_players.end(), [](const auto& player) { return !player->over(); });
}

void BanditPlay::step(const std::stop_token& stop)
{
    const long now = slowest();
    std::vector<BanditPlayer*> next;
    for (auto* player : all())
        if (!player->over() && player->steps() == now)
            next.push_back(player);
    std::exception_ptr mistake;
    std::mutex mutex;
    parallel_for(next.size(), [&](std::size_t i) {
        if (stop.stop_requested())
            return;
        try {
            next[i]->step();
        } catch (...) {
            const std::scoped_lock lock(mutex);
            if (!mistake)
                mistake = std::current_exception();
        }
    });
    if (mistake)
        std::rethrow_exception(mistake);
}

Chart BanditPlay::numbers() const
{
    Chart chart{.id = "bandit_numbers", .title = "Bandit: numbers"};
    Table table{.columns = {{"Agent"},
                            {"Interactions"},
                            {"Regret", "", 0},
                            {"Of uniform", "%", 1},
                            {"Edible eaten", "%", 1},
                            {"Poisonous eaten", "%", 1},
                            {"Time per step", "ms", 2}},
                .rows    = {}};
    for (const auto& player : m_players) {
        const long n = player->steps();
        std::optional<double> regret, relative, milliseconds;
        if (n > 0) {
            const auto last = static_cast<std::size_t>(n - 1);
            regret          = player->regret()[last];
            milliseconds    = 1000 * player->seconds() / static_cast<double>(n);
            if (n <= m_uniform->steps()) {
                const auto& uniform = m_uniform->regret();
                if (const auto whole = clear_regret_of_uniform(
                        {.name = {}, .steps = {}, .cumulative = {{uniform.begin(), uniform.begin() + n}}}))
                    relative = 100 * *regret / *whole;
            }
        }
        const auto counts = player->counts();
        table.rows.push_back({agent_title(player->study()), n, cellOf(regret), cellOf(relative),
                              cellOf(shareOf(counts.edible_eaten, counts.edible_left), 100),
                              cellOf(shareOf(counts.poisonous_eaten, counts.poisonous_left), 100),
                              cellOf(milliseconds)});
    }
    chart.table = std::move(table);
    chart.caption =
        "Regret so far, in percent of that of the uniform choice on the same mushrooms, and mushrooms eaten.";
    return chart;
}

BanditPlay::Frame BanditPlay::frame() const
{
    std::vector<RegretCurves> curves;
    std::vector<EatenShares> eaten;
    Frame out;
    for (const auto& player : m_players) {
        curves.push_back(curvesOf(*player));
        eaten.push_back(eatenShares(*player));
        out.happened.push_back(player->happened());
    }
    out.steps    = steps();
    out.slowest  = slowest();
    Chart regret = regret_chart(curves), shares = eaten_chart(eaten), table = numbers();
    if (!m_players.empty()) {
        const auto& study = m_players.front()->study();
        if (!regret.panels.empty())
            regret.panels[0].x.range = Range{0, static_cast<double>(endOfAxis(out.steps, steps_of_course()))};
        const std::string about = " " + worldInWords(study.world) + ", seed " + std::to_string(study.seed) + ", after "
                                  + grouped_text(out.steps) + " of " + grouped_text(study.course.steps)
                                  + " interactions.";
        for (auto* chart : {&regret, &shares, &table})
            chart->caption += about;
    }
    out.regret  = sharedChart(std::move(regret));
    out.eaten   = sharedChart(std::move(shares));
    out.numbers = sharedChart(std::move(table));
    return out;
}

std::string worldInWords(const WorldOptions& world)
{
    if (world.kind == WorldKind::mushrooms)
        return "UCI Mushroom";
    const char* shape = world.shape == PlaneShape::two_moons ? "two moons"
                        : world.shape == PlaneShape::circles ? "circles"
                                                             : "four squares";
    return std::string("Synthetic bandit, ") + shape + ", noise " + number_text(world.noise, 3);
}

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
