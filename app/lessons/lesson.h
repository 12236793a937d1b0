// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/error.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace credence {

/// One action of *Show me*: one line of a ```do block.
struct LessonAction {
    enum class Kind {
        preset,   ///< uses the Study of the preset `name`
        set,      ///< sets the setting at path `name` to `text`
        train,    ///< trains to the end, unless the displayed Study is already trained
        wait,     ///< waits until training, computing and drawing have finished
        view,     ///< brings the view `name` to the front
        input,    ///< selects the input with these numbers
        row,      ///< selects the test row with this number
        point,    ///< draws a point: x, y and, for classification, its class
        tool,     ///< opens the tool page `name`
        press,    ///< triggers the button or menu action with this object name
        choose,   ///< selects the line or view `text` of the control `name`
        value,    ///< sets the control `name` to `text`
    };
    Kind kind = Kind::wait;
    std::string name{};
    std::string text{};
    std::vector<double> numbers{};
    int line = 0;   ///< line in the file, from 1
};

/// "run.step >= 300": a condition on the program's state, see `lesson_names`.
struct LessonCondition {
    enum class Is { equal, different, less, at_most, more, at_least };
    std::string name{};
    Is is = Is::equal;
    std::string text{};   ///< value to compare with
};

/// The expected number of a question.
struct LessonNumber {
    double value = 0;
    std::string name{};         ///< name of the program state asked for; empty: `value`
    double tolerance = 0;       ///< allowed deviation in either direction
    bool percent     = false;   ///< the tolerance is a percentage of the correct value
};

struct LessonChoice {
    std::string text{};
    bool right = false;
};

/// The question of a step. A condition is fulfilled by doing something in the window.
struct LessonQuestion {
    std::string text{};   ///< Markdown
    std::variant<LessonNumber, std::vector<LessonChoice>, std::vector<LessonCondition>> answer{};
    std::string hint{};      ///< shown after a wrong answer
    std::string because{};   ///< shown after the correct answer; may be empty
    int line = 0;
};

struct LessonHighlight {
    std::string name{};   ///< name of a control, part of the window, view, setting or menu action
    int line = 0;
};

struct LessonStep {
    std::string title{};
    std::string text{};   ///< Markdown without the directives
    std::vector<LessonAction> actions{};
    std::vector<LessonHighlight> highlights{};
    std::optional<LessonQuestion> question{};
    int line = 0;
};

/// A guided tour through the window, defined in a Markdown file: docs/lessons.md.
struct Lesson {
    std::string title{};
    double minutes = 0;
    std::string about{};   ///< one sentence
    int order = 0;         ///< position in the list; equal ones are sorted by title
    std::vector<LessonStep> steps{};
};

/// Reads a lesson and checks its names: presets, settings and their values, views, tool pages,
/// names of the program's state. Controls are checked in the window.
/// @param file   its name, for error messages
/// @throws Error "moons.md, line 12: found \"trian\", expected one of preset, set, train, …; did
///        you mean train?"
Lesson read_lesson(std::string_view text, const std::string& file);

/// The first words of the lines of a ```do block, in the order of the documentation.
const std::vector<std::string>& lesson_actions();

/// One tool page that a lesson can open.
struct LessonTool {
    std::string id;       ///< "double_well"
    std::string action;   ///< object name of the menu action that opens it; empty: a page of the main area
};
const std::vector<LessonTool>& lesson_tools();

/// Is the typed answer correct? @param right  the correct number
bool fits_answer(const LessonNumber& asked, double right, double typed);

/// Does the value of the program's state fulfil the condition? Numbers are compared numerically,
/// text ignoring case.
bool fulfils(const LessonCondition& condition, const std::string& value);

/// A name of the program's own state, for conditions and answers of a lesson.
struct LessonName {
    std::string name;   ///< "run.step"; capitals are placeholders: "study.PATH"
    std::string what;   ///< short description for docs/lessons.md
};

/// All of them, in the order of the documentation.
const std::vector<LessonName>& lesson_names();

/// The parts of a name, "table.boxplots.1.median" as {"table", "boxplots", "1", "median"}; for
/// "study.PATH", "control.NAME" and "visible.NAME" the rest is one part.
/// @throws Error  a sentence without file and line: "found \"run.stpe\", expected one of run.step,
///        …"
std::vector<std::string> lesson_name_parts(const std::string& name);

// For reading a lesson: the lines of its file and the contents of its blocks.

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
