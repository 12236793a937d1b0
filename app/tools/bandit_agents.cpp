// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/bandit_agents.h"

#include "foundation/number_text.h"

#include <algorithm>

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
