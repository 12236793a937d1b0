// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandits/bandit_play.h"

#include "bandits/regret_chart.h"
#include "foundation/number_text.h"
#include "foundation/parallel.h"
#include "foundation/progress.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

namespace credence {

namespace {

std::vector<BanditStudy> presets_of(WorldKind world, AgentKind kind)
{
    std::vector<BanditStudy> out;
    for (const auto& preset : bandit_presets())
        if (preset.study.world.kind == world && preset.study.agent.kind == kind)
            out.push_back(preset.study);
    return out;
}

/// The Study on which agents that are not presets are based.
BanditStudy base_of(WorldKind world, AgentKind kind)
{
    if (const auto same = presets_of(world, kind); !same.empty())
        return same.front();
    BanditStudy study = bandit_presets().front().study;
    study.world       = {.kind = world};
    study.agent.kind  = kind;
    if (const auto methods = methods_of_agents(kind); kind != AgentKind::uniform && !methods.empty())
        set_bandit_method(study, methods.front());
    return study;
}

}   // namespace

std::vector<BanditAgent> bandit_agents(WorldKind world, double own_epsilon)
{
    std::vector<BanditAgent> out;
    const auto has = [&out](const std::string& id) {
        return std::any_of(out.begin(), out.end(), [&id](const BanditAgent& agent) { return agent.id == id; });
    };
    const auto add_thompson = [&](BanditStudy study) {
        const std::string method = study.learner.posterior.family, id = "thompson/" + method;
        if (!has(id))
            out.push_back({id, std::move(study), method == "mean_field"});
    };
    for (auto& study : presets_of(world, AgentKind::thompson))
        add_thompson(std::move(study));
    for (const auto& method : methods_of_agents(AgentKind::thompson)) {
        BanditStudy study = base_of(world, AgentKind::thompson);
        set_bandit_method(study, method);
        add_thompson(std::move(study));
    }
    const auto add_greedy = [&](const std::string& name, double epsilon, bool usual) {
        BanditStudy study   = base_of(world, AgentKind::greedy);
        study.agent.epsilon = epsilon;
        out.push_back({"greedy/" + name, std::move(study), usual});
    };
    constexpr double of_blundell[]{0, 0.01, 0.05};
    for (const double epsilon : of_blundell)
        add_greedy(plain_text(epsilon), epsilon, epsilon == 0.01);
    if (std::find(std::begin(of_blundell), std::end(of_blundell), own_epsilon) == std::end(of_blundell))
        add_greedy("own", own_epsilon, false);
    out.push_back({"uniform", base_of(world, AgentKind::uniform), true});
    return out;
}

namespace {

constexpr std::size_t most_met = 400;   // points drawn on a map

std::optional<double> share_of(long part, long rest)
{
    return part + rest > 0 ? std::optional(static_cast<double>(part) / static_cast<double>(part + rest)) : std::nullopt;
}

/// Unknown values are shown as a dash.
Cell cell_or_dash(const std::optional<double>& value, double factor = 1)
{
    return value ? Cell(factor * *value) : Cell(std::string("–"));
}

/// End of the axis: the next doubling of 100 interactions, at most the end of the course.
long end_of_axis(long done, long course)
{
    long end = 100;
    while (end < done)
        end *= 2;
    return std::max({1L, done, std::min(end, course)});
}

RegretCurves curves_so_far(const BanditPlayer& player)
{
    RegretCurves out{.name = agent_title(player.study()), .steps = {}, .cumulative = {}};
    out.cumulative.resize(1);
    if (player.steps() > 0)
        out.steps = recorded_interactions(player.steps());
    for (const long step : out.steps)
        out.cumulative[0].push_back(player.regret()[static_cast<std::size_t>(step - 1)]);
    return out;
}

EatenShares shares_so_far(const BanditPlayer& player)
{
    EatenShares out{.name = agent_title(player.study()), .edible = {}, .poisonous = {}};
    for (const auto& quarter : player.quarters()) {
        out.edible.push_back(share_of(quarter.edible_eaten, quarter.edible_left));
        out.poisonous.push_back(share_of(quarter.poisonous_eaten, quarter.poisonous_left));
    }
    return out;
}

std::shared_ptr<const Chart> shared_chart(Chart chart) { return std::make_shared<const Chart>(std::move(chart)); }

}   // namespace

void BanditPlayer::begin(const std::shared_ptr<const BanditWorld>& world)
{
    if (run_)
        return;
    auto run = std::make_unique<BanditRun>(world, study_, study_.seed);
    const std::scoped_lock lock(turn_);
    run_ = std::move(run);
}

void BanditPlayer::step()
{
    while (asking_ > 0)   // with a plain mutex, the thread that just released it would often get it again
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const std::scoped_lock lock(turn_);
    const Stopwatch watch;
    try {
        last_ = run_->step();
    } catch (...) {
        over_ = true;
        throw;
    }
    seconds_ += watch.seconds();
    regret_.push_back(last_.cumulative);
    const long quarter = std::min(3L, 4 * (last_.step - 1) / std::max(1L, study_.course.steps));
    quarters_[static_cast<std::size_t>(quarter)].add(last_.context.edible, last_.eaten);
    if (!run_->world().is_plane())
        return;
    memory_.met.push_back({last_.context.inputs.at(0), last_.context.inputs.at(1), last_.context.edible, last_.eaten});
    if (memory_.met.size() > most_met) {
        memory_.met.pop_front();
        ++memory_.left_out;
    }
}

EatenCounts BanditPlayer::counts() const
{
    EatenCounts all;
    for (const auto& quarter : quarters_)
        all += quarter;
    return all;
}

std::string BanditPlayer::happened() const
{
    if (regret_.empty())
        return {};
    return (last_.context.edible ? "an edible one was " : "a poisonous one was ")
           + std::string(last_.eaten ? "eaten" : "left") + (last_.by_chance ? " by chance" : "") + ": reward "
           + reward_text(last_.reward) + ", regret " + reward_text(last_.regret());
}

void BanditPlayer::ask(const std::function<void(const BanditRun&, const Memory&)>& question)
{
    ++asking_;
    const std::scoped_lock lock(turn_);
    --asking_;
    if (run_)
        question(*run_, memory_);
}

BanditPlay::BanditPlay(const std::vector<std::pair<std::string, BanditStudy>>& agents, const BanditPlay* others)
{
    for (const auto& [id, study] : agents) {
        std::shared_ptr<BanditPlayer> player;
        if (others)
            for (const auto& other : others->players_)
                if (other->id() == id && other->study() == study)
                    player = other;
        if (!player)
            player = std::make_shared<BanditPlayer>(id, study);
        if (study.agent.kind == AgentKind::uniform && !uniform_)
            uniform_ = player;
        players_.push_back(std::move(player));
    }
    if (uniform_ || players_.empty())
        return;
    BanditStudy uniform = players_.front()->study();
    uniform.agent       = {.kind = AgentKind::uniform};
    const auto same     = [&uniform](const BanditStudy& study) {   // its network is never used
        return study.seed == uniform.seed && study.world == uniform.world && study.course == uniform.course;
    };
    uniform_ = others && others->uniform_ && same(others->uniform_->study())
                   ? others->uniform_
                   : std::make_shared<BanditPlayer>("uniform", uniform);
}

std::vector<BanditPlayer*> BanditPlay::all() const
{
    std::vector<BanditPlayer*> out;
    for (const auto& player : players_)
        out.push_back(player.get());
    if (uniform_ && std::find(out.begin(), out.end(), uniform_.get()) == out.end())
        out.push_back(uniform_.get());
    return out;
}

void BanditPlay::begin()
{
    if (players_.empty())
        return;
    if (!world_)
        world_ = std::make_shared<const BanditWorld>(players_.front()->study().world);
    for (auto* player : all())
        player->begin(world_);
}

long BanditPlay::steps() const
{
    long most = 0;
    for (const auto& player : players_)
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

long BanditPlay::steps_of_course() const { return players_.empty() ? 0 : players_.front()->study().course.steps; }

bool BanditPlay::can_continue() const
{
    return std::any_of(players_.begin(), players_.end(), [](const auto& player) { return !player->over(); });
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
    for (const auto& player : players_) {
        const long n = player->steps();
        std::optional<double> regret, relative, milliseconds;
        if (n > 0) {
            const auto last = static_cast<std::size_t>(n - 1);
            regret          = player->regret()[last];
            milliseconds    = 1000 * player->seconds() / static_cast<double>(n);
            if (n <= uniform_->steps()) {
                const auto& uniform = uniform_->regret();
                if (const auto whole = clear_regret_of_uniform(
                        {.name = {}, .steps = {}, .cumulative = {{uniform.begin(), uniform.begin() + n}}}))
                    relative = 100 * *regret / *whole;
            }
        }
        const auto counts = player->counts();
        table.rows.push_back({agent_title(player->study()), n, cell_or_dash(regret), cell_or_dash(relative),
                              cell_or_dash(share_of(counts.edible_eaten, counts.edible_left), 100),
                              cell_or_dash(share_of(counts.poisonous_eaten, counts.poisonous_left), 100),
                              cell_or_dash(milliseconds)});
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
    for (const auto& player : players_) {
        curves.push_back(curves_so_far(*player));
        eaten.push_back(shares_so_far(*player));
        out.happened.push_back(player->happened());
    }
    out.steps    = steps();
    out.slowest  = slowest();
    Chart regret = regret_chart(curves), shares = eaten_chart(eaten), table = numbers();
    if (!players_.empty()) {
        const auto& study = players_.front()->study();
        if (!regret.panels.empty())
            regret.panels[0].x.range = Range{0, static_cast<double>(end_of_axis(out.steps, steps_of_course()))};
        const std::string about = " " + world_words(study.world) + ", seed " + std::to_string(study.seed) + ", after "
                                  + grouped_text(out.steps) + " of " + grouped_text(study.course.steps)
                                  + " interactions.";
        for (auto* chart : {&regret, &shares, &table})
            chart->caption += about;
    }
    out.regret  = shared_chart(std::move(regret));
    out.eaten   = shared_chart(std::move(shares));
    out.numbers = shared_chart(std::move(table));
    return out;
}

std::string world_words(const WorldOptions& world)
{
    if (world.kind == WorldKind::mushrooms)
        return "UCI Mushroom";
    const char* shape = world.shape == PlaneShape::two_moons ? "two moons"
                        : world.shape == PlaneShape::circles ? "circles"
                                                             : "four squares";
    return std::string("Synthetic bandit, ") + shape + ", noise " + number_text(world.noise, 3);
}

}   // namespace credence
