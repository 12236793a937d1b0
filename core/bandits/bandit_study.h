// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bandits/bandit_world.h"
#include "study/fields.h"
#include "study/study.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace credence {

enum class AgentKind {
    uniform,    ///< eats with probability ½: regret 100 %
    greedy,     ///< takes the best action of its network; with probability ε a random one
    thompson,   ///< takes the best action for a sample of its posterior (Blundell et al. 2015,
                ///< section 5.3)
};

struct AgentOptions {
    AgentKind kind     = AgentKind::thompson;
    double epsilon     = 0;   ///< greedy: share of the interactions decided by a fair coin
    int action_samples = 2;   ///< thompson: the value of an action is the mean over this many samples
                              ///< (Blundell et al. 2015: 2)

    bool operator==(const AgentOptions&) const = default;
};

struct CourseOptions {
    long steps          = 2000;   ///< interactions
    int seeds           = 5;      ///< courses, with the seeds s, s + 1, …
    int buffer          = 4096;   ///< the number of latest interactions to learn from
    int updates         = 64;     ///< minibatches after each interaction
    double reward_scale = 10;     ///< the network learns rewards divided by it

    bool operator==(const CourseOptions&) const = default;
};

/// Everything that determines a bandit: world, agent, and training. Same BanditStudy and seed, same
/// bits, on any number of threads.
struct BanditStudy {
    std::string name = "Synthetic bandit, mean field";
    std::string note;
    std::uint64_t seed = 1;   ///< of the first course: contexts, coins, initial weights,
                              ///< minibatches and samples
    WorldOptions world;
    AgentOptions agent;
    CourseOptions course;
    /// The agent's network, posterior, prior and training. Its data, split and predictions are
    /// ignored, and so are `training.steps`, `training.max_seconds` and `training.patience`. The
    /// batch size is that of each minibatch; `network.noise_sd` is the standard deviation of the
    /// reward noise, in rewards.
    Study learner;

    BanditStudy();   ///< mean field of 2 × 100 ReLU units
    explicit BanditStudy(Study agent) : learner(std::move(agent)) {}

    bool has_net() const { return agent.kind != AgentKind::uniform; }
};
bool operator==(const BanditStudy& a, const BanditStudy& b);

/// A setting of a BanditStudy that a Study does not have ("name", "note", "seed", "world.…",
/// "agent.…", "course.…"), for forms, JSON and `--set`.
struct BanditField {
    Field words;   ///< path, label, unit, help, range, choices; its `get` gives the default, its
                   ///< `set` and `applies` are empty
    std::function<FieldValue(const BanditStudy&)> get;
    std::function<void(BanditStudy&, const FieldValue&)> set;   ///< @throws Error with the path if out of range
    std::function<bool(const BanditStudy&)> applies;            ///< has an effect with the other settings; never empty
};
/// In the order of a form.
const std::vector<BanditField>& bandit_fields();
const BanditField* find_bandit_field(const std::string& path);   ///< null: unknown

/// Groups of a Study that are also settings of an agent: "network", "posterior", "prior",
/// "training".
bool is_learner_group(const std::string& group);
/// "agent.epsilon=0.05" or, for the learner, "training.learning_rate=0.001". @throws Error that
/// names the path and what was expected
void set_bandit_field(BanditStudy& study, const std::string& assignment);

/// Changes the agent's method ("posterior.family") and sets what suits a bandit: rates, initial
/// spread, prior. @throws Error  for an unknown method
void set_bandit_method(BanditStudy& study, const std::string& method);

/// The kind of the agent and its method in words, for legends: "Mean field, Thompson sampling",
/// "Greedy, ε = 5 %", "Uniform choice".
std::string agent_title(const BanditStudy& study);

/// Ids of the methods for an agent of this kind, in the order of the list of methods. They can learn
/// from rows one at a time; thompson needs samples of a posterior, greedy a single network.
std::vector<std::string> methods_of_agents(AgentKind kind);

/// Without loading the world. @throws Error (with the field) for invalid values, alone or together:
/// a method that cannot learn from a growing table, or a Thompson agent whose samples are all equal
void check(const BanditStudy& study);

/// JSON, version 1: {"credence_bandit": 1, "name": …, "world": {…}, "agent": {…}, "course": {…},
/// "network": {…}, "posterior": {…}, …}. Defaults are written too. Missing keys take their
/// defaults; unknown keys and invalid values are errors that name the key.
nlohmann::json to_json(const BanditStudy& study);
BanditStudy bandit_study_from_json(const nlohmann::json& json);
std::string to_text(const BanditStudy& study);
BanditStudy bandit_study_from_text(const std::string& text,
                                   const std::string& origin);   ///< @param origin  file name for messages
BanditStudy load_bandit_study(
    const std::filesystem::path& file);   ///< a relative world.file is resolved against the study's folder

/// A built-in bandit.
struct BanditPreset {
    std::string id;   ///< "mushrooms_mean_field"
    BanditStudy study;
};
/// Synthetic ones first; the first is opened by default.
const std::vector<BanditPreset>& bandit_presets();
const BanditStudy& bandit_preset(const std::string& id);   ///< @throws Error that lists the ids

/// Identifies one course in file names: 16 hexadecimal digits of a hash of all settings but name,
/// note, seed and course.seeds. Courses of different lengths differ.
std::string bandit_hash(const BanditStudy& study);

}   // namespace credence
