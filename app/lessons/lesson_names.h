// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace credence {

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

}   // namespace credence
