// SPDX-License-Identifier: GPL-3.0-or-later
// A lesson from its Markdown: header, steps, and in them the blocks do, highlight and question.
#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/text.h"
#include "lessons/lesson.h"

#include <algorithm>

namespace credence {

namespace {

constexpr std::size_t longest_text = std::size_t{1} << 20;   ///< bytes
constexpr double longest_minutes   = 600;

/// "## A title" → "A title"; empty: not a title line
std::optional<std::string> heading_of(const std::string& line)
{
    if (line.rfind("## ", 0) != 0)
        return {};
    return std::string(without_blanks(std::string_view(line).substr(3)));
}

/// The word after ``` at the start of a block; empty: not a block
std::optional<std::string> fence_of(const std::string& line)
{
    if (line.rfind("```", 0) != 0)
        return {};
    return std::string(without_blanks(std::string_view(line).substr(3)));
}

class Reader {
public:
    Reader(std::string_view text, const std::string& file) : lines_(text, file) {}

    Lesson read()
    {
        read_header();
        while (!lines_.at_end())
            read_line();
        if (lesson_.steps.empty())
            throw lines_.mistake("found no step, expected at least one \"## Title of a step\".");
        return std::move(lesson_);
    }

private:
    void read_header()
    {
        while (!lines_.at_end() && without_blanks(lines_.line()).empty())
            lines_.next();
        if (lines_.at_end() || without_blanks(lines_.line()) != "---")
            throw lines_.mistake("expected a line --- before the header with title, minutes and about.");
        const int begin = lines_.number();
        bool closed     = false;
        for (lines_.next(); !closed && !lines_.at_end(); lines_.next())
            if (without_blanks(lines_.line()) == "---")
                closed = true;
            else if (!without_blanks(lines_.line()).empty())
                read_header_line();
        if (!closed)
            throw lines_.mistake(begin, "found no second line ---, expected one at the end of the header.");
        for (const auto& [found, key] : {std::pair{!lesson_.title.empty(), "title: Name of the lesson"},
                                         {lesson_.minutes > 0, "minutes: 6"},
                                         {!lesson_.about.empty(), "about: One sentence on it"}})
            if (!found)
                throw lines_.mistake(begin, "found no such line in the header, expected \"" + std::string(key) + "\".");
    }

    void read_header_line()
    {
        const auto [key, value] = key_and_value(lines_.line());
        if (value.empty() && (key == "title" || key == "about"))
            throw lines_.mistake("found " + key + " without a text, expected \"" + key + ": …\".");
        if (key == "title") {
            lesson_.title = value;
        } else if (key == "about") {
            lesson_.about = value;
        } else if (key == "minutes") {
            lesson_.minutes = number(value, "the duration of the lesson in minutes");
            if (!(lesson_.minutes > 0 && lesson_.minutes <= longest_minutes))
                throw lines_.mistake("found " + plain_text(lesson_.minutes)
                                     + " minutes, expected more than 0 and at most " + plain_text(longest_minutes)
                                     + ".");
        } else if (key == "order") {
            const double place = number(value, "a position in the list");
            if (!(place >= 0 && place <= 1000 && place == static_cast<int>(place)))
                throw lines_.mistake("found \"" + value
                                     + "\", expected a position in the list, a whole number from 0 to 1000.");
            lesson_.order = static_cast<int>(place);
        } else {
            throw lines_.mistake("found \"" + one_line(lines_.line(), 80)
                                 + "\", expected title: …, minutes: …, about: … or order: ….");
        }
    }

    double number(const std::string& text, const std::string& what) const
    {
        const auto found = number_from(text);
        if (!found)
            throw lines_.mistake("found \"" + one_line(text, 80) + "\", expected " + what + ", a number.");
        return *found;
    }

    void read_line()
    {
        const std::string line = lines_.line();
        const int at           = lines_.number();
        if (const auto title = heading_of(line)) {
            if (title->empty())
                throw lines_.mistake("found a step without a title, expected \"## Title of a step\".");
            lesson_.steps.push_back({.title = *title, .line = at});
        } else if (lesson_.steps.empty()) {
            if (!without_blanks(line).empty())
                throw lines_.mistake("found \"" + one_line(line, 80)
                                     + "\" before the first step, expected \"## Title of a step\".");
        } else if (const auto kind = fence_of(line)) {
            return read_block(*kind);
        } else {
            lesson_.steps.back().text += line + "\n";
        }
        lines_.next();
    }

    void read_block(const std::string& kind)
    {
        const int begin  = lines_.number();
        const auto first = lines_.line();
        std::vector<LessonLine> block;
        for (lines_.next(); !lines_.at_end() && fence_of(lines_.line()) != ""; lines_.next())
            block.push_back({lines_.line(), lines_.number()});
        if (lines_.at_end())
            throw lines_.mistake(begin, "found no line ``` after it, expected one at the end of the block.");
        lines_.next();
        auto& step        = lesson_.steps.back();
        const auto refuse = [&](bool twice) {
            if (twice)
                throw lines_.mistake(begin, "found a second block " + kind + " in this step, expected one.");
            if (std::all_of(block.begin(), block.end(),
                            [](const auto& one) { return without_blanks(one.text).empty(); }))
                throw lines_.mistake(begin, "found an empty block " + kind + ", expected at least one line.");
        };
        if (kind == "do") {
            refuse(!step.actions.empty());
            step.actions = lesson_actions_of(block, lines_);
        } else if (kind == "highlight") {
            refuse(!step.highlights.empty());
            for (const auto& one : block)
                if (const auto name = without_blanks(one.text); !name.empty())
                    step.highlights.push_back({std::string(name), one.number});
        } else if (kind == "question") {
            refuse(step.question.has_value());
            step.question = lesson_question_of(block, begin, lines_);
        } else {   // a code block shown to the reader
            step.text += first + "\n";
            for (const auto& one : block)
                step.text += one.text + "\n";
            step.text += "```\n";
        }
    }

    LessonLines lines_;
    Lesson lesson_;
};

}   // namespace

std::string_view without_blanks(std::string_view text)
{
    const auto from = text.find_first_not_of(" \t");
    if (from == std::string_view::npos)
        return {};
    return text.substr(from, text.find_last_not_of(" \t") - from + 1);
}

std::pair<std::string, std::string> key_and_value(std::string_view line)
{
    const auto colon = line.find(':');
    if (colon == std::string_view::npos)
        return {std::string(without_blanks(line)), {}};
    return {std::string(without_blanks(line.substr(0, colon))), std::string(without_blanks(line.substr(colon + 1)))};
}

LessonLines::LessonLines(std::string_view text, const std::string& file) : file_(file)
{
    if (text.size() > longest_text)
        throw Error(file + ": the file has " + grouped_text(static_cast<long>(text.size()))
                    + " bytes, expected a lesson of at most " + grouped_text(static_cast<long>(longest_text)) + ".");
    if (text.rfind("\xEF\xBB\xBF", 0) == 0)   // byte order mark written by some editors
        text.remove_prefix(3);
    for (std::size_t from = 0; from < text.size();) {
        const auto to = std::min(text.find('\n', from), text.size());
        auto line     = text.substr(from, to - from);
        if (!line.empty() && line.back() == '\r')
            line.remove_suffix(1);
        lines_.emplace_back(line);
        from = to + 1;
    }
}

Error LessonLines::mistake(int line, const std::string& sentence) const
{
    return Error(file_ + ", line " + std::to_string(line) + ": " + sentence);
}

Lesson read_lesson(std::string_view text, const std::string& file) { return Reader(text, file).read(); }

}   // namespace credence
