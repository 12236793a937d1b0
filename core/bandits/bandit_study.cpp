// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandits/bandit_study.h"

#include "foundation/error.h"
#include "foundation/files.h"
#include "foundation/hashes.h"
#include "foundation/json.h"
#include "foundation/number_text.h"
#include "foundation/text.h"
#include "study/method.h"
#include "study/names.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace credence {
namespace {

constexpr auto bandit_version_key = "credence_bandit";
constexpr int bandit_version      = 1;
constexpr std::array learner_groups{"network", "posterior", "prior", "training"};

/// A value as it appears in an error message.
std::string shown_json(const nlohmann::json& json)
{
    return one_line(json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), 60);
}

FieldValue value_of(const Field& words, const nlohmann::json& json)
{
    const bool wants_text = std::holds_alternative<std::string>(words.get(Study{}));
    if (wants_text ? !json.is_string() : !json.is_number() && !json.is_boolean())
        throw Error(words.path, words.path + " is " + shown_json(json) + ", expected " + expectation(words) + ".");
    return parse_value(words, wants_text ? json.get<std::string>() : json.dump());
}

[[noreturn]] void refuse_unknown(const std::string& path)
{
    std::vector<std::string> known;
    for (const auto& f : bandit_fields())
        known.push_back(f.words.path);
    for (const auto* group : learner_groups)
        known.push_back(group);
    std::string sentence = "unknown key \"" + one_line(path, 80) + "\"";
    const auto near      = path.size() > 80 ? std::vector<std::string>{} : near_matches(path, known);
    for (std::size_t i = 0; i < near.size(); ++i)
        sentence += (i == 0 ? "; did you mean " : " or ") + near[i];
    throw Error(path, sentence + (near.empty() ? "." : "?"));
}

void require_version(const nlohmann::json& json)
{
    if (!json.is_object() || !json.contains(bandit_version_key))
        throw Error(
            "found " + (json.is_object() ? "no key credence_bandit" : shown_json(json))
            + ", expected a bandit: an object with \"credence_bandit\": 1 and the keys name, world, agent, course, …");
    if (json.at(bandit_version_key) != nlohmann::json(bandit_version))
        throw Error(bandit_version_key, "this bandit has version " + shown_json(json.at(bandit_version_key))
                                            + ", but this program reads version " + std::to_string(bandit_version)
                                            + ".");
}

/// The settings of the file, on top of the defaults of an agent.
Study learner_from(const nlohmann::json& json)
{
    const auto all = to_json(BanditStudy{}.learner);
    nlohmann::json learner;
    for (const auto* group : learner_groups) {
        learner[group] = all.at(group);
        if (!json.contains(group))
            continue;
        if (json.at(group).is_object())
            learner[group].update(json.at(group));
        else
            learner[group] = json.at(group);   // refused below
    }
    return study_from_json(learner);
}

/// A mean-field network that learns rewards from −35 to 5.
Study usual_learner()
{
    Study learner;
    learner.name                = "Agent of a bandit";
    learner.network.hidden      = {100, 100};
    learner.training.batch_size = 64;
    field("network.noise").set(learner, std::string("given"));
    field("network.noise_sd").set(learner, 5.0);
    return learner;
}

/// Factor for the learning rate of a gradient-based method. The default rate suits classification,
/// whose loss has curvature at most 1/2 in the logits. A squared error has curvature 1/s².
double rate_factor(const BanditStudy& study)
{
    const double s = std::get<double>(field("network.noise_sd").get(study.learner)) / study.course.reward_scale;
    return s * s / 2;
}

void require_method(const BanditStudy& study)
{
    const Method& method  = method_of(study.learner);
    const auto expected   = ", expected one of " + joined(methods_of_agents(study.agent.kind));
    const std::string set = "posterior.family is " + method.id;
    if (!method.online)
        throw Error("posterior.family", set + ", which cannot learn from interactions one at a time" + expected + ".");
    const bool draws_differ = method.posterior.noise != NoiseIn::nothing;
    if (study.agent.kind == AgentKind::thompson && !draws_differ)
        throw Error("posterior.family", set + ", whose samples are all equal" + expected + ", or agent.kind greedy.");
    if (study.agent.kind == AgentKind::greedy && draws_differ)
        throw Error("posterior.family", set + ", whose samples differ, but a greedy agent uses a single network"
                                            + expected + ", or agent.kind thompson.");
    if (method.has_kl() && study.learner.training.kl_weighting == KlWeighting::geometric)
        throw Error(
            "training.kl_weighting",
            "training.kl_weighting is geometric, but a growing memory has no epochs; expected uniform or constant.");
}

}   // namespace

BanditStudy::BanditStudy()
{
    static const Study usual = [] {
        BanditStudy made{usual_learner()};
        set_bandit_method(made, "mean_field");
        return made.learner;
    }();
    learner = usual;
}

bool operator==(const BanditStudy& a, const BanditStudy& b) { return to_json(a) == to_json(b); }

void set_bandit_method(BanditStudy& study, const std::string& id)
{
    const Method& wanted = method(id);
    Study table;   // used to look up default settings
    table.posterior.family         = id;
    study.learner.posterior.family = id;
    auto usual                     = wanted.usual(table);
    if (wanted.online) {
        const auto more = wanted.online(table).usual;
        usual.insert(usual.end(), more.begin(), more.end());
    }
    for (const auto& [path, value] : usual) {
        const Field& setting = field(path);
        if (is_learner_group(setting.group()))
            setting.set(study.learner, parse_value(setting, value));
    }
    double& rate = study.learner.training.schedule.learning_rate;
    if (wanted.training.moves_by_gradient)
        rate *= rate_factor(study);
    else
        rate = 0.001;   // 64 steps of Adam after each interaction
}

std::vector<std::string> methods_of_agents(AgentKind kind)
{
    std::vector<std::string> ids;
    for (const Method& method : methods())
        if (method.online && (method.posterior.noise == NoiseIn::nothing) == (kind == AgentKind::greedy))
            ids.push_back(method.id);
    return ids;
}

std::string agent_title(const BanditStudy& study)
{
    switch (study.agent.kind) {
    case AgentKind::uniform: return "Uniform choice";
    case AgentKind::greedy: return "Greedy, ε = " + percent_text(study.agent.epsilon);
    case AgentKind::thompson: break;
    }
    return family_title(study.learner.posterior.family) + ", Thompson sampling";
}

void check(const BanditStudy& study)
{
    for (const auto& f : bandit_fields()) {
        BanditStudy copy;   // setters check their own range
        f.set(copy, f.get(study));
    }
    if (!study.has_net())
        return;
    check(study.learner);
    require_method(study);
}

nlohmann::json to_json(const BanditStudy& study) { return parse_json(to_text(study), "bandit", "a bandit"); }

std::string to_text(const BanditStudy& study)
{
    nlohmann::ordered_json json;
    json[bandit_version_key] = bandit_version;
    for (const auto& f : bandit_fields()) {
        const std::string group = f.words.group();
        auto& place             = group == "study" ? json : json[group];
        place[f.words.key()]    = std::visit([](const auto& v) { return nlohmann::ordered_json(v); }, f.get(study));
    }
    const auto learner = parse_json<nlohmann::ordered_json>(to_text(study.learner), "learner", "a Study");
    for (const auto* group : learner_groups)
        json[group] = learner.at(group);
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

BanditStudy bandit_study_from_json(const nlohmann::json& json)
{
    require_version(json);
    BanditStudy study;
    for (const auto& [key, value] : json.items()) {
        if (key == bandit_version_key || is_learner_group(key))
            continue;
        if (const auto* own = find_bandit_field(key)) {
            own->set(study, value_of(own->words, value));
            continue;
        }
        if (key != "world" && key != "agent" && key != "course")
            refuse_unknown(key);
        if (!value.is_object())
            throw Error(key,
                        key + " is " + shown_json(value) + ", expected an object with the settings of " + key + ".");
        for (const auto& [inner, setting] : value.items()) {
            const auto* own = find_bandit_field(key + "." + inner);
            if (!own)
                refuse_unknown(key + "." + inner);
            own->set(study, value_of(own->words, setting));
        }
    }
    study.learner = learner_from(json);
    return study;
}

BanditStudy bandit_study_from_text(const std::string& text, const std::string& origin)
{
    const auto json = parse_json(text, origin, "a bandit");
    try {
        return bandit_study_from_json(json);
    } catch (const Error& e) {
        throw Error(e.field(), origin + ": " + e.what());
    }
}

BanditStudy load_bandit_study(const std::filesystem::path& file)
{
    auto study = bandit_study_from_text(read_file(file, "a bandit in JSON"), file.string());
    if (!study.world.file.empty())
        study.world
            .file = (std::filesystem::absolute(file).parent_path() / study.world.file).lexically_normal().string();
    return study;
}

std::string bandit_hash(const BanditStudy& study)
{
    BanditStudy settings  = study;
    settings.name         = {};
    settings.note         = {};
    settings.seed         = 0;
    settings.course.seeds = 1;
    return text_hash(to_text(settings));
}

}   // namespace credence
