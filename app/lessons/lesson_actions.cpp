// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of a ```do block. Names are checked against the available presets, settings and views.
#include "foundation/error.h"
#include "foundation/find_listed.h"
#include "foundation/number_text.h"
#include "foundation/one_line.h"
#include "lessons/lesson_lines.h"
#include "study/fields.h"
#include "study/presets.h"
#include "views/views.h"

#include <algorithm>
#include <cmath>

namespace credence {

namespace {

using Kind = LessonAction::Kind;

constexpr std::size_t longest_word = 160;   ///< bytes; maximum length of a name

/// The first word and the rest.
std::pair<std::string, std::string> first_word(std::string_view text)
{
    text           = without_blanks(text);
    const auto end = std::min(text.find_first_of(" \t"), text.size());
    return {std::string(text.substr(0, end)), std::string(without_blanks(text.substr(end)))};
}

/// All words as numbers; empty: at least one is not a number.
std::vector<double> numbers_in(const std::string& text)
{
    std::vector<double> numbers;
    for (auto [word, rest] = first_word(text); !word.empty(); std::tie(word, rest) = first_word(rest)) {
        const auto number = number_from(word);
        if (!number || !std::isfinite(*number))
            return {};
        numbers.push_back(*number);
    }
    return numbers;
}

[[noreturn]] void refuse(const std::string& found, const std::string& expected)
{
    throw Error("found \"" + one_line(found, 80) + "\", expected " + expected + (expected.ends_with('?') ? "" : "."));
}

std::string near_words(const std::string& word, const std::vector<std::string>& known)
{
    std::string all;
    for (const auto& one : known)
        all += (all.empty() ? "" : ", ") + one;
    if (word.size() <= 80)
        if (const auto near = near_matches(word, known); !near.empty())
            all += "; did you mean " + near.front() + "?";
    return all;
}

void look_up_setting(const std::string& path, const std::string& text)
{
    const Field& named = field(path);
    Study scratch      = default_study();
    named.set(scratch, parse_value(named, text));   // checks the range
}

void read_input(LessonAction& action, const std::string& rest)
{
    const auto [word, number] = first_word(rest);
    const bool row            = word == "test";
    action.kind               = row ? Kind::row : Kind::input;
    action.numbers            = numbers_in(row ? number : rest);
    if (action.numbers.empty() || (row && action.numbers.size() > 1))
        refuse("input " + rest,
               "\"input 0.5 0.2\", the numbers of an input, or \"input test 17\", a row of the test set");
    const double first = action.numbers.front();
    if (row && !(first >= 0 && first <= 1e9 && first == std::floor(first)))
        refuse("input " + rest, "a row number, an integer from 0");
}

void read_point(LessonAction& action, const std::string& rest)
{
    action.numbers   = numbers_in(rest);
    const auto count = action.numbers.size();
    const bool whole = count < 3
                       || (action.numbers[2] >= 0 && action.numbers[2] < 8
                           && action.numbers[2] == std::floor(action.numbers[2]));
    if (count < 2 || count > 3 || !whole)
        refuse("point " + rest,
               "\"point 0.5 0.2 1\": x, y and the number of its class, or \"point 0.5 0.2\" for a numeric target");
}

LessonAction action_of(const std::string& line)
{
    const auto begin        = first_word(line);
    const auto behind       = first_word(begin.second);
    const std::string &word = begin.first, &rest = begin.second;
    const std::string &name = behind.first, &text = behind.second;
    if (name.size() > longest_word)
        refuse(name, "a name");
    LessonAction action{.name = name, .text = text};
    const auto nothing_more = [&](const std::string& what, const std::string& example) {
        if (what.empty() != example.empty())
            refuse(line, example.empty() ? "\"" + word + "\" alone" : "\"" + word + " " + example + "\"");
    };
    const auto one_name = [&](const std::string& example) {
        nothing_more(name, example);
        if (!text.empty())
            refuse(line, "\"" + word + " " + example + "\"");
    };
    if (word == "preset") {
        one_name("two_moons_mean_field");
        action.kind = Kind::preset;
        preset(name);
    } else if (word == "set") {
        nothing_more(text, "training.steps 300");
        action.kind = Kind::set;
        look_up_setting(name, text);
    } else if (word == "train" || word == "wait") {
        nothing_more(name, {});
        action.kind = word == "train" ? Kind::train : Kind::wait;
    } else if (word == "view") {
        one_name("decision_map");
        action.kind = Kind::view;
        view(name);
    } else if (word == "input") {
        read_input(action, rest);
    } else if (word == "point") {
        action.kind = Kind::point;
        read_point(action, rest);
    } else if (word == "tool") {
        one_name("simplex");
        action.kind = Kind::tool;
        if (!find_listed(lesson_tools(), name))
            refuse(name, "one of the tool pages " + listed_ids(lesson_tools()));
    } else if (word == "press") {
        one_name("restart");
        action.kind = Kind::press;
    } else if (word == "choose" || word == "value") {
        nothing_more(text, word == "choose" ? "mapQuantity Predictive entropy" : "timeMachine 3");
        action.kind = word == "choose" ? Kind::choose : Kind::value;
    } else {
        refuse(word, "one of " + near_words(word, lesson_actions()));
    }
    return action;
}

}   // namespace

std::vector<LessonAction> lesson_actions_of(const std::vector<LessonLine>& block, const LessonLines& lines)
{
    std::vector<LessonAction> actions;
    for (const auto& one : block) {
        if (without_blanks(one.text).empty())
            continue;
        try {
            actions.push_back(action_of(one.text));
        } catch (const Error& error) {
            throw lines.mistake(one.number, error.what());
        }
        actions.back().line = one.number;
    }
    return actions;
}

}   // namespace credence
