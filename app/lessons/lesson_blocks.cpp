// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lesson.h"

#include "foundation/error.h"
#include "foundation/find_listed.h"
#include "foundation/number_text.h"
#include "foundation/text.h"
#include "study/fields.h"
#include "study/presets.h"
#include "views/views.h"

#include <algorithm>
#include <array>
#include <cmath>

// The lines of a ```do block. Names are checked against the available presets, settings and views.
// The lines of a ```question block.

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
    std::string all = joined(known);
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
    const auto second       = first_word(begin.second);
    const std::string &word = begin.first, &rest = begin.second;
    const std::string &name = second.first, &text = second.second;
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

namespace {

using Is = LessonCondition::Is;

LessonCondition condition_of(std::string_view text)
{
    constexpr std::array<std::pair<std::string_view, Is>, 7> signs{{{">=", Is::at_least},
                                                                    {"<=", Is::at_most},
                                                                    {"!=", Is::different},
                                                                    {"==", Is::equal},
                                                                    {"=", Is::equal},
                                                                    {">", Is::more},
                                                                    {"<", Is::less}}};
    for (std::size_t at = 0; at < text.size(); ++at)
        for (const auto& [sign, is] : signs)
            if (text.compare(at, sign.size(), sign) == 0) {
                LessonCondition made{.name = std::string(without_blanks(text.substr(0, at))),
                                     .is   = is,
                                     .text = std::string(without_blanks(text.substr(at + sign.size())))};
                lesson_name_parts(made.name);
                const bool ordered = is != Is::equal && is != Is::different;
                if (made.text.empty() || (ordered && !number_from(made.text)))
                    throw Error("found \"" + one_line(text, 80) + "\", expected a " + (ordered ? "number" : "value")
                                + " after " + std::string(sign) + ".");
                return made;
            }
    throw Error("found \"" + one_line(text, 80) + "\", expected a condition as in \"run.step >= 300\".");
}

std::vector<LessonCondition> conditions_of(std::string_view text)
{
    constexpr std::string_view between = " and ";
    std::vector<LessonCondition> conditions;
    for (std::size_t from = 0;;) {
        const auto to = text.find(between, from);
        conditions.push_back(condition_of(without_blanks(text.substr(from, to - from))));
        if (to == std::string_view::npos)
            return conditions;
        from = to + between.size();
    }
}

/// "300", "0.5 ± 0.1", "block.1.tau ± 10 %"; +- stands for ±
LessonNumber number_asked(std::string_view text)
{
    LessonNumber asked;
    const auto refuse = [&] {
        throw Error("found \"" + one_line(text, 80)
                    + "\", expected a number or a name of the program's state, as in \"300\", \"0.5 ± 0.1\" or "
                      "\"block.1.tau ± 10 %\".");
    };
    auto at          = text.find("±");
    std::size_t size = std::string_view("±").size();
    if (at == std::string_view::npos) {
        at   = text.find("+-");
        size = 2;
    }
    if (at != std::string_view::npos) {
        auto tolerance = without_blanks(text.substr(at + size));
        asked.percent  = !tolerance.empty() && tolerance.back() == '%';
        if (asked.percent)
            tolerance = without_blanks(tolerance.substr(0, tolerance.size() - 1));
        const auto number = number_from(tolerance);
        if (!number || !(*number >= 0) || !std::isfinite(*number))
            refuse();
        asked.tolerance = *number;
    }
    const auto right = without_blanks(text.substr(0, at));
    if (const auto number = number_from(right)) {
        if (!std::isfinite(*number))
            refuse();
        asked.value = *number;
        return asked;
    }
    if (right.empty() || right.find('.') == std::string_view::npos)
        refuse();
    asked.name = right;
    lesson_name_parts(asked.name);
    return asked;
}

/// "- [x] text", "- [ ] text"; empty: another line
std::optional<LessonChoice> choice_of(std::string_view line)
{
    line             = without_blanks(line);
    const bool right = line.rfind("- [x]", 0) == 0 || line.rfind("- [X]", 0) == 0;
    if (!right && line.rfind("- [ ]", 0) != 0)
        return {};
    return LessonChoice{std::string(without_blanks(line.substr(5))), right};
}

class QuestionReader {
public:
    QuestionReader(int begin, const LessonLines& lines) : lines_(lines), begin_(begin) { made_.line = begin; }

    void take(const LessonLine& line)
    {
        if (const auto choice = choice_of(line.text)) {
            answers_ += choices_.empty();
            choices_.push_back(*choice);
            into_ = nullptr;
            return;
        }
        const auto [key, value] = key_and_value(line.text);
        if (key == "answer" || key == "check") {
            ++answers_;
            into_ = nullptr;
            try {
                if (key == "answer")
                    made_.answer = number_asked(value);
                else
                    made_.answer = conditions_of(value);
            } catch (const Error& error) {
                throw lines_.mistake(line.number, error.what());
            }
        } else if (key == "hint" || key == "because") {
            into_  = key == "hint" ? &made_.hint : &made_.because;
            *into_ = value;
        } else if (!without_blanks(line.text).empty() && !into_) {
            throw lines_.mistake(line.number, "found \"" + one_line(line.text, 80)
                                                  + "\" after the answer, expected hint: … or because: ….");
        } else if (into_) {   // the sentence continues
            *into_ += (into_ == &made_.text ? "\n" : " ") + std::string(without_blanks(line.text));
        }
    }

    LessonQuestion end()
    {
        made_.text = trimmed_lines(made_.text);
        if (made_.text.empty())
            throw lines_.mistake(begin_, "found no words in the question, expected the question text.");
        if (answers_ != 1)
            throw lines_.mistake(
                begin_, answers_ == 0
                            ? "found no answer in the question, expected answer: …, check: … or lines - [x] and - [ ]."
                            : "found more than one answer in the question, expected answer: …, check: … or lines - [x] "
                              "and - [ ].");
        if (!choices_.empty()) {
            bool right = false, wrong = false;
            for (const auto& one : choices_) {
                (one.right ? right : wrong) = true;
                if (one.text.empty())
                    throw lines_.mistake(begin_,
                                         "found an answer without words, expected \"- [x] right\" or \"- [ ] wrong\".");
            }
            if (!right || !wrong)
                throw lines_.mistake(begin_, "found only " + std::string(right ? "right" : "wrong")
                                                 + " answers, expected at least one - [x] and one - [ ].");
            made_.answer = std::move(choices_);
        }
        if (made_.hint.empty())
            throw lines_.mistake(begin_, "found no hint in the question, expected \"hint: …\", which is shown after a "
                                         "wrong answer.");
        return std::move(made_);
    }

private:
    static std::string trimmed_lines(const std::string& text)
    {
        const auto from = text.find_first_not_of(" \t\n");
        return from == std::string::npos ? std::string() : text.substr(from, text.find_last_not_of(" \t\n") - from + 1);
    }

    const LessonLines& lines_;
    int begin_;
    int answers_ = 0;
    LessonQuestion made_;
    std::vector<LessonChoice> choices_;
    std::string* into_ = &made_.text;   // target of lines without a keyword; null: none
};

}   // namespace

LessonQuestion lesson_question_of(const std::vector<LessonLine>& block, int begin, const LessonLines& lines)
{
    QuestionReader reader(begin, lines);
    for (const auto& line : block)
        reader.take(line);
    return reader.end();
}

}   // namespace credence
