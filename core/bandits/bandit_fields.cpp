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

/// A setting whose value is read and written by two functions.
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

/// A setting that stands in a member: text, double or a whole number. @param where  [](auto& study) -> auto& { return study.…; }
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
        Field{
            .path  = "world.kind",
            .label = "World",
            .help =
                "What the agent meets, one at a time. It sees the inputs and decides; it never sees whether what it left was good to eat."},
        [](auto& s) -> auto& { return s.world.kind; },
        std::vector<Option<WorldKind>>{
            {WorldKind::plane,
             {"plane", "Points in the plane",
              "Made up, without a file: what the agent believes can be drawn as a map."}},
            {WorldKind::mushrooms,
             {"mushrooms", "Mushrooms",
              "8,124 mushrooms with 22 attributes in words, a file of UCI (Blundell et al. 2015)."}}}));
    fields.push_back(member(
        {.path  = "world.file",
         .label = "File",
         .help =
             "agaricus-lepiota.data of UCI Mushroom: e or p in the first column, then 22 attributes. Empty: mushroom/agaricus-lepiota.data in the folder that "
             "CREDENCE_DATA_DIR names, or in your data folder."},
        [](auto& s) -> auto& { return s.world.file; }, reads_a_file));
    fields.push_back(one_of<>(
        Field{.path  = "world.shape",
              .label = "Shape",
              .help  = "Where the points lie; those of the first class are good to eat."},
        [](auto& s) -> auto& { return s.world.shape; },
        std::vector<Option<PlaneShape>>{
            {PlaneShape::two_moons, {"two_moons", "Two moons", "Two half circles that reach into one another."}},
            {PlaneShape::circles, {"circles", "Two circles", "The outer circle is good to eat, the inner one is not."}},
            {PlaneShape::xor_squares,
             {"xor", "Four squares", "Good to eat where both coordinates have the same sign."}}},
        is_in_the_plane));
    fields.push_back(member(
        {.path  = "world.noise",
         .label = "Noise",
         .help =
             "Standard deviation of the distance of the points from the shape. Where the classes overlap, nobody can know, and even the best agent pays.",
         .min = 0,
         .max = 10},
        [](auto& s) -> auto& { return s.world.noise; }, is_in_the_plane));
}

void add_agent(std::vector<BanditField>& fields)
{
    fields.push_back(one_of<>(
        Field{
            .path  = "agent.kind",
            .label = "Agent",
            .help =
                "How it decides. Eating something edible brings 5; something poisonous −35 or, by a fair coin, 5; leaving it brings 0."},
        [](auto& s) -> auto& { return s.agent.kind; },
        std::vector<Option<AgentKind>>{
            {AgentKind::thompson,
             {"thompson", "Thompson sampling",
              "Draws from its posterior and does what is best under the draw: it tries what it does not know yet, and stops when it knows."}},
            {AgentKind::greedy,
             {"greedy", "Greedy",
              "Does what an ordinary net says is best, and with probability ε something by chance."}},
            {AgentKind::uniform,
             {"uniform", "Uniform choice",
              "Eats every second one, by a coin: its regret is the 100 % of the others."}}}));
    fields.push_back(member(
        {.path  = "agent.epsilon",
         .label = "ε",
         .help =
             "Share of the interactions in which a greedy agent eats or leaves by a fair coin: it keeps exploring, and keeps paying for it. 0, 0.01 and 0.05 in Blundell et "
             "al. 2015.",
         .min = 0,
         .max = 1},
        [](auto& s) -> auto& { return s.agent.epsilon; }, is_greedy));
    fields.push_back(member(
        {.path  = "agent.action_draws",
         .label = "Draws for a decision",
         .unit  = "draws",
         .help =
             "The value of an action is the mean of so many draws. 1 is Thompson sampling itself, 2 in Blundell et al. 2015; with many the agent does what is best on "
             "average, and explores no more.",
         .min = 1,
         .max = 1000},
        [](auto& s) -> auto& { return s.agent.action_draws; }, is_thompson));
}

void add_course(std::vector<BanditField>& fields)
{
    fields.push_back(member(
        {.path = "course.steps", .label = "Interactions", .help = "How many mushrooms come by.", .min = 1, .max = 1e6},
        [](auto& s) -> auto& { return s.course.steps; }));
    fields.push_back(member(
        {.path  = "course.seeds",
         .label = "Seeds",
         .help =
             "Courses that are run side by side, with the seeds s, s + 1, …: bands, means and standard deviations are over them. One course says little: luck decides much.",
         .min = 1,
         .max = 1000},
        [](auto& s) -> auto& { return s.course.seeds; }));
    fields.push_back(member(
        {.path  = "course.buffer",
         .label = "Memory",
         .unit  = "interactions",
         .help =
             "The net learns from the last so many interactions. 4096 in Blundell et al. 2015. They are the N that the prior is weighed against: its KL enters with 1/N.",
         .min = 1,
         .max = 1e5},
        [](auto& s) -> auto& { return s.course.buffer; }, learns));
    fields.push_back(member(
        {.path  = "course.updates",
         .label = "Minibatches after each interaction",
         .help =
             "Steps of the optimiser after each interaction; each of training.batch_size interactions of the memory, drawn with replacement. 64 of 64 in Blundell et al. 2015.",
         .min = 1,
         .max = 10000},
        [](auto& s) -> auto& { return s.course.updates; }, learns));
    fields.push_back(member(
        {.path  = "course.reward_scale",
         .label = "Scale of the rewards",
         .help =
             "The net learns rewards divided by it, so that they are of the size that starting weights and learning rates are made for. network.noise_sd stays in rewards.",
         .min      = 0,
         .max      = 1e6,
         .min_open = true},
        [](auto& s) -> auto& { return s.course.reward_scale; }, learns));
}

std::vector<BanditField> all_fields()
{
    std::vector<BanditField> fields;
    fields.push_back(member(
        {.path = "name", .label = "Name", .help = "What this bandit is called."},
        [](auto& s) -> auto& { return s.name; }));
    fields.push_back(member(
        {.path = "note", .label = "Note", .help = "Why these settings, in a sentence or two."},
        [](auto& s) -> auto& { return s.note; }));
    fields.push_back(member(
        {.path  = "seed",
         .label = "Seed",
         .help =
             "Of the first course. What comes by, and with what luck, depends on the seed alone: all agents with the same seed meet the same mushrooms.",
         .min = 0,
         .max = 9007199254000000.0},
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
