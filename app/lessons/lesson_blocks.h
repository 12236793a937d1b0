// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/error.h"
#include "lessons/lesson.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace credence {

/// Trims blanks.
std::string_view without_blanks(std::string_view text);
/// "hint: Look at the curve." as {"hint", "Look at the curve."}; without a colon the value is
/// empty.
std::pair<std::string, std::string> key_and_value(std::string_view line);

/// A line of a file and its number, from 1.
struct LessonLine {
    std::string text;
    int number = 0;
};

/// The lines of a lesson in order.
class LessonLines {
public:
    /// @throws Error  the text is too long
    LessonLines(std::string_view text, const std::string& file);

    bool at_end() const { return at_ >= lines_.size(); }
    const std::string& line() const { return lines_[at_]; }
    int number() const { return static_cast<int>(at_) + 1; }
    void next() { ++at_; }

    /// "moons.md, line 12: …"
    Error mistake(int line, const std::string& sentence) const;
    Error mistake(const std::string& sentence) const { return mistake(number(), sentence); }

private:
    std::string file_;
    std::vector<std::string> lines_;
    std::size_t at_ = 0;
};

/// Parses the lines of a ```do block. @throws Error  a sentence with file and line
std::vector<LessonAction> lesson_actions_of(const std::vector<LessonLine>& block, const LessonLines& lines);
/// Parses a ```question block that begins at line `begin`. @throws Error  a sentence with file and
/// line
LessonQuestion lesson_question_of(const std::vector<LessonLine>& block, int begin, const LessonLines& lines);

}   // namespace credence
