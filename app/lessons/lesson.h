// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace credence {

/// One action of *Show me*: one line of a ```do block.
struct LessonAction {
    enum class Kind {
        preset,   ///< the Study of this preset: `name`
        set,      ///< the setting at the path `name` becomes `text`
        train,    ///< trains to the end, if the Study on screen is not trained
        wait,     ///< until nothing is trained, computed or drawn any more
        view,     ///< the view `name` comes to the front
        input,    ///< the input with these numbers is chosen
        row,      ///< the row of the test set with this number is chosen
        point,    ///< a point is drawn: x, y and, where there are classes, its class
        tool,     ///< the tool page `name` is opened
        press,    ///< the button or menu action with this object name
        choose,   ///< the line `text` of the list, or the tab `text`, of the control `name`
        value,    ///< the control `name` is set to `text`
    };
    Kind kind = Kind::wait;
    std::string name{};
    std::string text{};
    std::vector<double> numbers{};
    int line = 0;   ///< of the file, from 1
};

/// "run.step >= 300": a condition on the program's state, see lesson_names.h.
struct LessonCondition {
    enum class Is { equal, different, less, at_most, more, at_least };
    std::string name{};
    Is is = Is::equal;
    std::string text{};   ///< what it is compared with
};

/// The expected number of a question.
struct LessonNumber {
    double value = 0;
    std::string name{};         ///< of the program's state that is asked for; empty: `value`
    double tolerance = 0;       ///< on either side
    bool percent     = false;   ///< the tolerance is a share of what is right, in percent
};

struct LessonChoice {
    std::string text{};
    bool right = false;
};

/// The question of a step. A condition is fulfilled by doing something in the window.
struct LessonQuestion {
    std::string text{};   ///< Markdown
    std::variant<LessonNumber, std::vector<LessonChoice>, std::vector<LessonCondition>> answer{};
    std::string hint{};      ///< said to a wrong answer
    std::string because{};   ///< said to the right one; may be empty
    int line = 0;
};

struct LessonHighlight {
    std::string name{};   ///< of a control, a dock, a view, a setting or a menu action
    int line = 0;
};

struct LessonStep {
    std::string title{};
    std::string text{};   ///< Markdown, without the directives
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
    int order = 0;         ///< its place in the list; equal ones by title
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
    std::string action;   ///< object name of the menu action that opens it; empty: a tab of the middle
};
const std::vector<LessonTool>& lesson_tools();

/// Is the typed answer correct? @param right  the correct number
bool fits_answer(const LessonNumber& asked, double right, double typed);

/// Does the value of the program's state fulfil the condition? Numbers are compared numerically,
/// text ignoring case.
bool fulfils(const LessonCondition& condition, const std::string& value);

}   // namespace credence
