// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/bandit_explanation.h"

#include "figures/bandit_decision.h"
#include "foundation/number_text.h"
#include "sources/mushroom_bandit.h"

#include <array>

using namespace credence;

namespace {

constexpr int drawsOfDecision = 200;

BanditDecision decisionOf(const BanditQuestion& question, const BanditRun& run)
{
    const auto& agent = run.study().agent;
    BanditDecision out{.agent = agent_title(run.study())};
    if (agent.kind == AgentKind::thompson)
        out.deciding = agent.action_draws;
    if (agent.kind == AgentKind::greedy)
        out.by_chance = agent.epsilon;
    RewardDraws draws;
    if (question.place) {
        const auto& [x, y] = *question.place;
        const std::array<float, 2> at{static_cast<float>(x), static_cast<float>(y)};
        draws    = run.values(at, drawsOfDecision);
        out.what = "At x1 = " + number_text(x, 3) + ", x2 = " + number_text(y, 3);
    } else {
        const auto next = run.next_context();
        draws           = run.next_decision(drawsOfDecision);
        out.what        = next.edible ? "Next: edible" : "Next: poisonous";
        out.truth       = mushroom_bandit::expected_reward(next.edible, true);
    }
    out.eat   = std::move(draws.eat);
    out.leave = std::move(draws.leave);
    return out;
}

/// The agent's beliefs in the plane. Empty: stopped.
std::optional<Chart> mapOf(const BanditQuestion& question, const BanditRun& run, const BanditPlayer::Memory& memory,
                           const std::stop_token& stop)
{
    const auto extent = run.world().extent();
    BeliefMap map{
        .agent        = agent_title(run.study()),
        .interactions = run.steps_done(),
        .grid = MapGrid::over({extent.x1_from, extent.x1_to}, {extent.x2_from, extent.x2_to}, question.live ? 30 : 50),
        .met  = {memory.met.begin(), memory.met.end()},
        .left_out = memory.leftOut};
    if (run.study().has_net()) {
        const auto inputs = map.grid.inputs();
        const std::vector<float> contexts(inputs.begin(), inputs.end());
        auto values = run.value_map(contexts, question.live ? 30 : 50, stop);
        if (stop.stop_requested() || values.share_eaten.empty())
            return {};
        map.share_eating = std::move(values.share_eaten);
        map.mean_eat     = std::move(values.mean_eat);
        map.mean_leave   = std::move(values.mean_leave);
        map.sd_eat       = std::move(values.sd_eat);
    }
    return to_chart(map, question.quantity);
}

Chart attributesOf(const BanditRun& run)
{
    const auto next = run.next_context();
    Chart chart{.id = "bandit_mushroom", .title = "The next mushroom"};
    Table table{.columns = {{"Attribute"}, {"Value"}}, .rows = {}};
    for (const auto& [attribute, value] : run.world().description(next))
        table.rows.push_back({attribute, value});
    chart.table   = std::move(table);
    chart.caption = "Next mushroom after interaction " + grouped_text(run.steps_done()) + ": row "
                    + grouped_text(static_cast<long>(next.row) + 1) + " of the table, "
                    + (next.edible ? "edible" : "poisonous") + ", which is hidden from the agent.";
    return chart;
}

}   // namespace

std::optional<BanditExplanation> explain(const BanditQuestion& question, const std::stop_token& stop)
{
    std::optional<BanditExplanation> out;
    question.player->ask([&](const BanditRun& run, const BanditPlayer::Memory& memory) {
        if (stop.stop_requested())
            return;
        auto beliefs = run.world().is_plane() ? mapOf(question, run, memory, stop) : std::optional(attributesOf(run));
        if (!beliefs)
            return;
        Chart decision          = to_chart(decisionOf(question, run));
        const std::string about = " " + worldInWords(run.study().world) + ", seed " + std::to_string(run.seed())
                                  + ", after " + grouped_text(run.steps_done()) + " interactions.";
        decision.caption += about;
        beliefs->caption += about;
        out = BanditExplanation{std::make_shared<const Chart>(std::move(decision)),
                                std::make_shared<const Chart>(std::move(*beliefs)), question.place};
        if (run.world().is_plane() && !question.place) {
            const auto next = run.next_context();
            out->place      = {next.inputs.at(0), next.inputs.at(1)};
        }
    });
    return out;
}
