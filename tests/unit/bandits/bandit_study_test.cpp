// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandits/bandit_study.h"

#include "foundation/error.h"
#include "study/method.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <set>

namespace credence {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

std::string refusal_of_setting(const std::string& assignment)
{
    return sentence_of_error([&] {
        BanditStudy study;
        set_bandit_field(study, assignment);
    });
}
std::string refusal_of_agent(const std::string& kind, const std::string& method)
{
    return sentence_of_error([&] {
        BanditStudy study;
        set_bandit_field(study, "agent.kind=" + kind);
        set_bandit_method(study, method);
        check(study);
    });
}

TEST(BanditStudy, EveryPresetIsInRangeAndHasANoteAndAUniqueId)
{
    std::set<std::string> ids, names;
    for (const auto& preset : bandit_presets()) {
        EXPECT_NO_THROW(check(preset.study)) << preset.id;
        EXPECT_GT(preset.study.note.size(), 40u) << preset.id;
        ids.insert(preset.id);
        names.insert(preset.study.name);
        EXPECT_EQ(preset.study.world.kind == WorldKind::mushrooms, preset.id.starts_with("mushrooms_")) << preset.id;
    }
    EXPECT_EQ(ids.size(), bandit_presets().size());
    EXPECT_EQ(names.size(), bandit_presets().size());
    EXPECT_EQ(bandit_presets().front().study.world.kind, WorldKind::plane) << "the first one needs no file";
    EXPECT_THAT(sentence_of_error([] { bandit_preset("mushroom"); }), HasSubstr("mushrooms_mean_field"));
}

TEST(BanditStudy, JsonRoundTripIsTheIdentity)
{
    for (const auto& preset : bandit_presets())
        EXPECT_EQ(bandit_study_from_text(to_text(preset.study), "x.json"), preset.study) << preset.id;
}

TEST(BanditStudy, MissingKeysTakeTheirDefaults)
{
    const auto study = bandit_study_from_text(
        R"({"credence_bandit": 1, "agent": {"action_draws": 5}, "training": {"batch_size": 7}})", "x.json");
    EXPECT_EQ(study.agent.action_samples, 5);
    EXPECT_EQ(study.learner.training.batch_size, 7);
    EXPECT_EQ(study.learner.network.hidden, BanditStudy{}.learner.network.hidden);
    EXPECT_EQ(study.course, CourseOptions{});
}

TEST(BanditStudy, RejectsFilesThatAreNotBandits)
{
    const auto refusal = [](const std::string& text) {
        return sentence_of_error([&] { bandit_study_from_text(text, "my.json"); });
    };
    EXPECT_THAT(refusal("[1]"), HasSubstr("my.json: found [1], expected a bandit"));
    EXPECT_THAT(refusal("{"), HasSubstr("my.json"));
    EXPECT_THAT(refusal(R"({"credence": 1})"), HasSubstr("no key credence_bandit"));
    EXPECT_THAT(refusal(R"({"credence_bandit": 2})"), HasSubstr("has version 2, but this program reads version 1"));
    EXPECT_THAT(refusal(R"({"credence_bandit": 1, "agent": {"epsilom": 1}})"),
                HasSubstr("unknown key \"agent.epsilom\"; did you mean agent.epsilon"));
    EXPECT_THAT(refusal(R"({"credence_bandit": 1, "agent": {"epsilon": 2}})"),
                HasSubstr("agent.epsilon is 2, expected a number from 0 to 1."));
    EXPECT_THAT(refusal(R"({"credence_bandit": 1, "agent": {"kind": 3}})"),
                HasSubstr("agent.kind is 3, expected one of"));
    EXPECT_THAT(refusal(R"({"credence_bandit": 1, "agent": 3})"), HasSubstr("agent is 3, expected an object"));
    EXPECT_THAT(refusal(R"({"credence_bandit": 1, "data": {}})"), HasSubstr("unknown key \"data\""));
    EXPECT_THAT(refusal(R"({"credence_bandit": 1, "training": {"batch": 3}})"), HasSubstr("training.batch"));
}

TEST(BanditStudy, SettingsAreSetByTheirPaths)
{
    BanditStudy study;
    set_bandit_field(study, "agent.kind=greedy");
    set_bandit_field(study, "agent.epsilon=0.05");
    set_bandit_field(study, "training.learning_rate=0.25");
    EXPECT_EQ(study.agent.kind, AgentKind::greedy);
    EXPECT_EQ(agent_title(study), "Greedy, ε = 5 %");
    EXPECT_EQ(study.learner.training.schedule.learning_rate, 0.25);
    EXPECT_THAT(refusal_of_setting("agent.epsilon=1.5"),
                HasSubstr("agent.epsilon is 1.5, expected a number from 0 to 1."));
    EXPECT_THAT(refusal_of_setting("agent.epsilom=1"), HasSubstr("did you mean agent.epsilon"));
    EXPECT_THAT(refusal_of_setting("data.n=5"), HasSubstr("There is no setting \"data.n\" of a bandit"));
    EXPECT_THAT(refusal_of_setting("course.steps"), HasSubstr("expected a setting and its value"));
}

TEST(BanditStudy, EverySettingHasWords)
{
    for (const auto& f : bandit_fields()) {
        EXPECT_FALSE(f.words.label.empty()) << f.words.path;
        EXPECT_GT(f.words.help.size(), 20u) << f.words.path;
        EXPECT_EQ(f.get(BanditStudy{}), f.words.get(Study{})) << f.words.path;
    }
}

TEST(BanditStudy, MethodsThatNeedAllRowsOrCannotContinueAreRejected)
{
    for (const char* id : {"nuts", "hmc", "laplace", "cyclical_sgld", "swag"})
        EXPECT_THAT(refusal_of_agent("thompson", id),
                    HasSubstr(std::string("posterior.family is ") + id
                              + ", which cannot learn from interactions one at a time, expected one of "));
    EXPECT_THAT(refusal_of_agent("thompson", "point_estimate"), HasSubstr("whose samples are all equal"));
    EXPECT_THAT(refusal_of_agent("greedy", "mean_field"), HasSubstr("expected one of point_estimate"));
    EXPECT_EQ(refusal_of_agent("greedy", "point_estimate"), "");
    EXPECT_EQ(refusal_of_agent("uniform", "nuts"), "") << "it has no net";
    const auto with_draws = methods_of_agents(AgentKind::thompson);
    for (const char* id : {"bernoulli_dropout", "mean_field", "layer_scale", "tridiagonal", "sgld", "psgld", "sghmc",
                           "sgfuncrld", "deep_ensemble"})
        EXPECT_THAT(with_draws, Contains(id));
    EXPECT_THAT(with_draws, Not(Contains("point_estimate")));
    for (const auto& id : with_draws)
        EXPECT_EQ(refusal_of_agent("thompson", id), "") << id;
}

TEST(BanditStudy, TheHashCoversEverythingThatDeterminesACourse)
{
    BanditStudy study;
    const auto hash = bandit_hash(study);
    EXPECT_EQ(hash.size(), 16u);
    study.name         = "another";
    study.seed         = 9;
    study.course.seeds = 3;
    EXPECT_EQ(bandit_hash(study), hash) << "neither names nor seeds: these are stored next to it";
    study.learner.training.schedule.learning_rate *= 2;
    EXPECT_NE(bandit_hash(study), hash);
}

}   // namespace
}   // namespace credence
