// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz/reader.h"
#include "lessons/lesson.h"

#include <algorithm>

namespace credence::fuzz {

/// Any text as a lesson: it has steps, and everything in it comes from a line of the file.
bool read_lesson_text(Bytes input)
{
    const std::string_view text(reinterpret_cast<const char*>(input.data()), input.size());
    return attempt([&] {
        const Lesson lesson = read_lesson(text, "a.md");
        const auto lines    = 1 + std::count(text.begin(), text.end(), '\n');
        const auto within   = [&](int line) { holds(line >= 1 && line <= lines, "a line is one of the file"); };
        holds(!lesson.steps.empty() && !lesson.title.empty(), "a lesson has a title and steps");
        for (const LessonStep& step : lesson.steps) {
            within(step.line);
            for (const LessonAction& action : step.actions)
                within(action.line);
            for (const LessonHighlight& highlight : step.highlights)
                within(highlight.line);
            if (step.question)
                within(step.question->line);
        }
    });
}

}   // namespace credence::fuzz
