// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandits/bandit_study.h"

#include "foundation/error.h"
#include "foundation/find_listed.h"

#include <vector>

namespace credence {
namespace {

using Assignments = std::vector<const char*>;

/// An agent of a world, by its differences from the other agents.
struct AgentOfPreset {
    const char* id;
    const char* name;
    const char* method;
    Assignments settings;
    const char* note;
};

BanditPreset made_preset(const std::string& world, const std::string& title, const AgentOfPreset& agent,
                         const Assignments& of_world, const std::string& of_all)
{
    BanditPreset preset{world + "_" + agent.id, {}};
    auto& study = preset.study;
    study.name  = title + ", " + agent.name;
    study.note  = agent.note + std::string(" ") + of_all;
    for (const char* assignment : of_world)
        set_bandit_field(study, assignment);
    set_bandit_method(study, agent.method);
    for (const char* assignment : agent.settings)
        set_bandit_field(study, assignment);
    return preset;
}

const char* const point = "point_estimate";

/// Points in the plane: a small network, a few seconds.
void add_made_up(std::vector<BanditPreset>& presets)
{
    const Assignments world{"world.kind=plane",      "course.steps=600",   "course.updates=16",
                            "network.hidden=32, 32", "network.noise_sd=2", "training.batch_size=64"};
    const std::string of_all     = "Points of two moons: one moon is edible, the other poisonous. No file is needed.";
    const AgentOfPreset agents[] = {
        {"mean_field",
         "mean field",
         "mean_field",
         {"prior.weight_sd=0.5", "prior.bias_sd=1", "posterior.initial_sd=0.2", "training.kl_weight=0.3",
          "training.learning_rate=0.002"},
         "Thompson sampling with a mean and a spread for every weight. Watch the uncertainty shrink where the agent "
         "has eaten."},
        {"layer_scale",
         "one τ per block",
         "layer_scale",
         {"training.learning_rate=0.002"},
         "Thompson sampling with one relative spread for all weights of a layer."},
        {"dropout",
         "dropout",
         "bernoulli_dropout",
         {"posterior.dropout_rate=0.1", "training.learning_rate=0.003"},
         "Thompson sampling whose samples are random masks. The uncertainty does not shrink as it learns."},
        {"ensemble",
         "deep ensemble",
         "deep_ensemble",
         {"training.learning_rate=0.002"},
         "Thompson sampling whose samples are five networks with different initial weights."},
        {"sgld",
         "SGLD",
         "sgld",
         {"prior.weight_sd=0.5", "network.noise_sd=5", "training.learning_rate=0.006"},
         "Thompson sampling with a chain that runs while the agent eats. A sample is its latest state."},
        {"greedy_0",
         "greedy",
         point,
         {"agent.kind=greedy", "training.learning_rate=0.002"},
         "Takes the best action according to a single network. One bad meal can stop it from eating for a long time."},
        {"greedy_5",
         "greedy, ε = 5 %",
         point,
         {"agent.kind=greedy", "agent.epsilon=0.05", "training.learning_rate=0.002"},
         "A single network with a random action every twentieth time, which has a constant cost."},
        {"uniform",
         "uniform choice",
         point,
         {"agent.kind=uniform"},
         "Eats with probability ½; the reference (100 %) for the others."}};
    for (const auto& agent : agents)
        presets.push_back(made_preset("plane", "Synthetic bandit", agent, world, of_all));
}

/// Blundell et al. 2015, section 5.3 and Fig. 6; the number of interactions is not in the text.
void add_mushrooms(std::vector<BanditPreset>& presets)
{
    const Assignments world{"world.kind=mushrooms", "course.steps=5000",       "course.updates=64",
                            "course.buffer=4096",   "network.hidden=100, 100", "training.batch_size=64"};
    const std::string of_all =
        "UCI Mushroom, 2 × 100 ReLU, memory of 4096, 64 minibatches of 64 after each interaction (Blundell et al. "
        "2015, section 5.3).";
    const AgentOfPreset agents[] = {
        {"mean_field",
         "mean field",
         "mean_field",
         {"prior.weight_sd=0.3", "prior.bias_sd=1", "posterior.initial_sd=0.02", "network.noise_sd=0.5",
          "training.kl_weight=0.3"},
         "Thompson sampling with Bayes by Backprop."},
        {"layer_scale",
         "one τ per block",
         "layer_scale",
         {},
         "Thompson sampling with one relative spread for all weights of a layer."},
        {"dropout",
         "dropout",
         "bernoulli_dropout",
         {"posterior.dropout_rate=0.1"},
         "Thompson sampling whose samples are random masks."},
        {"ensemble",
         "deep ensemble",
         "deep_ensemble",
         {},
         "Thompson sampling whose samples are five networks with different initial weights."},
        {"sgld",
         "SGLD",
         "sgld",
         {"prior.weight_sd=0.3", "network.noise_sd=2", "training.learning_rate=0.0004"},
         "Thompson sampling with a chain that runs while the agent eats."},
        {"greedy_0", "greedy", point, {"agent.kind=greedy"}, "Takes the best action according to a single network."},
        {"greedy_1",
         "greedy, ε = 1 %",
         point,
         {"agent.kind=greedy", "agent.epsilon=0.01"},
         "A single network with a random action every hundredth time."},
        {"greedy_5",
         "greedy, ε = 5 %",
         point,
         {"agent.kind=greedy", "agent.epsilon=0.05"},
         "A single network with a random action every twentieth time."},
        {"uniform",
         "uniform choice",
         point,
         {"agent.kind=uniform"},
         "Eats with probability ½; the reference (100 %) for the others."}};
    for (const auto& agent : agents)
        presets.push_back(made_preset("mushrooms", "Mushrooms", agent, world, of_all));
}

std::vector<BanditPreset> all_bandit_presets()
{
    std::vector<BanditPreset> presets;
    add_made_up(presets);
    add_mushrooms(presets);
    return presets;
}

}   // namespace

const std::vector<BanditPreset>& bandit_presets()
{
    static const std::vector<BanditPreset> presets = all_bandit_presets();
    return presets;
}

const BanditStudy& bandit_preset(const std::string& id)
{
    if (const auto* found = find_listed(bandit_presets(), id))
        return found->study;
    throw Error("There is no bandit \"" + id + "\", expected a file or one of " + listed_ids(bandit_presets()) + ".");
}

}   // namespace credence
