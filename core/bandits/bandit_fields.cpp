// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandits/bandit_study.h"

#include "study/field_makers.h"

#include <algorithm>
#include <utility>

namespace credence {
namespace {

using namespace field_makers;

bool in_every_study(const BanditStudy&) { return true; }
bool reads_a_file(const BanditStudy& s) { return s.world.kind == WorldKind::mushrooms; }
bool is_in_the_plane(const BanditStudy& s) { return s.world.kind == WorldKind::plane; }
bool is_greedy(const BanditStudy& s) { return s.agent.kind == AgentKind::greedy; }
bool is_thompson(const BanditStudy& s) { return s.agent.kind == AgentKind::thompson; }
bool learns(const BanditStudy& s) { return s.has_net(); }

/// A setting that is read and written by two functions.
template <class Read, class Write>
BanditField made(Field words, Read read, Write write, bool (*applies)(const BanditStudy&))
{
    words.get            = [value = FieldValue{read(BanditStudy{})}](const Study&) { return value; };
    const auto described = words;
    return {.words = std::move(words),
            .get   = [read](const BanditStudy& s) { return FieldValue{read(s)}; },
            .set =
                [described, write](BanditStudy& s, const FieldValue& value) {
        require_in_range(described, value);
        write(s, value);
            },
            .applies = applies};
}

/// A setting that is a member: text, double or a whole number. @param where  [](auto& study) ->
/// auto& { return study.…; }
template <class Where>
BanditField member(Field words, Where where, bool (*applies)(const BanditStudy&) = in_every_study)
{
    using Member = std::remove_cvref_t<decltype(where(std::declval<BanditStudy&>()))>;
    using Shown  = std::conditional_t<std::is_integral_v<Member>, long, Member>;
    return made(
        std::move(words), [where](const BanditStudy& s) { return static_cast<Shown>(where(s)); },
        [where](BanditStudy& s, const FieldValue& value) { where(s) = static_cast<Member>(std::get<Shown>(value)); },
        applies);
}

template <class Where, class E>
BanditField one_of(Field words, Where where, std::vector<Option<E>> options,
                   bool (*applies)(const BanditStudy&) = in_every_study)
{
    for (const auto& option : options)
        words.choices.push_back(option.choice);
    return made(
        std::move(words),
        [where, options](const BanditStudy& s) {
        const auto found = std::find_if(options.begin(), options.end(),
                                        [&](const auto& option) { return option.value == where(s); });
        return found->choice.name;
        },
        [where, options](BanditStudy& s, const FieldValue& value) {
        for (const auto& option : options)
            if (option.choice.name == std::get<std::string>(value))
                where(s) = option.value;
    },
        applies);
}

void add_world(std::vector<BanditField>& fields)
{
    fields.push_back(one_of<>(
        Field{.path  = "world.kind",
              .label = "World",
              .help  = "What the agent meets, one at a time. It sees the inputs and decides; it never learns whether a "
                       "mushroom that it left was edible."},
        [](auto& s) -> auto& { return s.world.kind; },
        std::vector<Option<WorldKind>>{
            {WorldKind::plane,
             {"plane", "Points in the plane", "Synthetic, without a file. The agent's beliefs can be drawn as a map."}},
            {WorldKind::mushrooms,
             {"mushrooms", "Mushrooms",
              "8,124 mushrooms with 22 categorical attributes, a UCI data set (Blundell et al. 2015)."}}}));
    fields.push_back(member(
        {.path  = "world.file",
         .label = "File",
         .help  = "agaricus-lepiota.data of UCI Mushroom: e or p in the first column, then 22 attributes. Empty: "
                  "mushroom/agaricus-lepiota.data in the folder that "
                  "CREDENCE_DATA_DIR names, or in your data folder."},
        [](auto& s) -> auto& { return s.world.file; }, reads_a_file));
    fields.push_back(one_of<>(
        Field{.path  = "world.shape",
              .label = "Shape",
              .help  = "The shape of the data; points of the first class are edible."},
        [](auto& s) -> auto& { return s.world.shape; },
        std::vector<Option<PlaneShape>>{
            {PlaneShape::two_moons, {"two_moons", "Two moons", "Two interleaved half circles."}},
            {PlaneShape::circles, {"circles", "Two circles", "The outer circle is edible, the inner one poisonous."}},
            {PlaneShape::xor_squares, {"xor", "Four squares", "Edible where both coordinates have the same sign."}}},
        is_in_the_plane));
    fields.push_back(member(
        {.path  = "world.noise",
         .label = "Noise",
         .help = "Standard deviation of the distance of the points from the shape. Where the classes overlap, even the "
                 "best agent makes mistakes.",
         .min  = 0,
         .max  = 10},
        [](auto& s) -> auto& { return s.world.noise; }, is_in_the_plane));
}

void add_agent(std::vector<BanditField>& fields)
{
    fields.push_back(one_of<>(
        Field{.path  = "agent.kind",
              .label = "Agent",
              .help = "How the agent decides. Eating an edible mushroom gives 5; a poisonous one −35 or 5 with equal "
                      "probability; leaving it gives 0."},
        [](auto& s) -> auto& { return s.agent.kind; },
        std::vector<Option<AgentKind>>{
            {AgentKind::thompson,
             {"thompson", "Thompson sampling",
              "Samples a network from its posterior and takes the best action for that sample: it explores what is "
              "uncertain, and stops once it is certain."}},
            {AgentKind::greedy,
             {"greedy", "Greedy",
              "Takes the best action according to a single network, and with probability ε a random one."}},
            {AgentKind::uniform,
             {"uniform", "Uniform choice",
              "Eats with probability ½; the regret of other agents is relative to it (100 %)."}}}));
    fields.push_back(member(
        {.path  = "agent.epsilon",
         .label = "ε",
         .help  = "Share of the interactions in which a greedy agent decides by a fair coin: it keeps exploring, at a "
                  "constant cost. 0, 0.01 and 0.05 in Blundell et "
                  "al. 2015.",
         .min   = 0,
         .max   = 1},
        [](auto& s) -> auto& { return s.agent.epsilon; }, is_greedy));
    fields.push_back(member(
        {.path  = "agent.action_draws",
         .label = "Samples per decision",
         .unit  = "samples",
         .help = "The value of an action is the mean of this many samples. 1 is Thompson sampling itself, 2 is used in "
                 "Blundell et al. 2015; with many the agent takes the action that is best on average, and no longer "
                 "explores.",
         .min  = 1,
         .max  = 1000},
        [](auto& s) -> auto& { return s.agent.action_samples; }, is_thompson));
}

void add_course(std::vector<BanditField>& fields)
{
    fields.push_back(member(
        {.path  = "course.steps",
         .label = "Interactions",
         .help  = "Number of mushrooms that the agent meets.",
         .min   = 1,
         .max   = 1e6},
        [](auto& s) -> auto& { return s.course.steps; }));
    fields.push_back(member(
        {.path  = "course.seeds",
         .label = "Seeds",
         .help =
             "Independent courses with the seeds s, s + 1, …; bands, means and standard deviations are over them. A "
             "single course depends strongly on chance.",
         .min = 1,
         .max = 1000},
        [](auto& s) -> auto& { return s.course.seeds; }));
    fields.push_back(member(
        {.path  = "course.buffer",
         .label = "Memory",
         .unit  = "interactions",
         .help = "The network learns from this many latest interactions. 4096 in Blundell et al. 2015. Their number is "
                 "N in the weight 1/N of the KL to the prior.",
         .min  = 1,
         .max  = 1e5},
        [](auto& s) -> auto& { return s.course.buffer; }, learns));
    fields.push_back(member(
        {.path  = "course.updates",
         .label = "Minibatches per interaction",
         .help  = "Optimiser steps after each interaction, each on training.batch_size interactions drawn from the "
                  "memory with replacement. 64 of 64 in Blundell et al. 2015.",
         .min   = 1,
         .max   = 10000},
        [](auto& s) -> auto& { return s.course.updates; }, learns));
    fields.push_back(member(
        {.path  = "course.reward_scale",
         .label = "Reward scale",
         .help  = "The network learns rewards divided by this scale, so that they suit the usual initial weights and "
                  "learning rates. network.noise_sd is in units of rewards.",
         .min   = 0,
         .max   = 1e6,
         .min_open = true},
        [](auto& s) -> auto& { return s.course.reward_scale; }, learns));
}

std::vector<BanditField> all_fields()
{
    std::vector<BanditField> fields;
    fields.push_back(member(
        {.path = "name", .label = "Name", .help = "Name of this bandit, as lists and figures show it."},
        [](auto& s) -> auto& { return s.name; }));
    fields.push_back(member(
        {.path = "note", .label = "Note", .help = "Why these settings, in a sentence or two."},
        [](auto& s) -> auto& { return s.note; }));
    fields.push_back(member(
        {.path  = "seed",
         .label = "Seed",
         .help  = "Seed of the first course. The mushrooms and the outcomes of eating depend only on the seed: all "
                  "agents with the same seed meet the same mushrooms.",
         .min   = 0,
         .max   = 9007199254000000.0},
        [](auto& s) -> auto& { return s.seed; }));
    add_world(fields);
    add_agent(fields);
    add_course(fields);
    return fields;
}

}   // namespace

const std::vector<BanditField>& bandit_fields()
{
    static const std::vector<BanditField> fields = all_fields();
    return fields;
}

const BanditField* find_bandit_field(const std::string& path)
{
    const auto& all  = bandit_fields();
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& f) { return f.words.path == path; });
    return found == all.end() ? nullptr : &*found;
}

bool is_learner_group(const std::string& group)
{
    return group == "network" || group == "posterior" || group == "prior" || group == "training";
}

void set_bandit_field(BanditStudy& study, const std::string& assignment)
{
    const auto equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0)
        throw Error("found \"" + assignment + "\", expected a setting and its value, for example agent.epsilon=0.05.");
    const std::string path = assignment.substr(0, equals);
    if (const auto* own = find_bandit_field(path))
        return own->set(study, parse_value(own->words, assignment.substr(equals + 1)));
    std::vector<std::string> known;
    for (const auto& own : bandit_fields())
        known.push_back(own.words.path);
    for (const auto& f : study_fields()) {
        if (!is_learner_group(f.group()))
            continue;
        known.push_back(f.path);
        if (f.path == path)
            return set_field(study.learner, assignment);
    }
    const auto near      = near_matches(path, known);
    std::string sentence = "There is no setting \"" + path + "\" of a bandit";
    for (std::size_t i = 0; i < near.size(); ++i)
        sentence += (i == 0 ? "; did you mean " : " or ") + near[i];
    throw Error(path, sentence + (near.empty() ? "." : "?"));
}

}   // namespace credence
