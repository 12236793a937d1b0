// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lesson.h"

#include "foundation/number_text.h"

#include <algorithm>
#include <cmath>

namespace credence {

namespace {

std::string lower_case(std::string text)
{
    for (char& c : text)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return text;
}

/// @param order  below 0: less, 0: equal, above 0: more
bool holds(LessonCondition::Is is, int order)
{
    switch (is) {
    case LessonCondition::Is::equal: return order == 0;
    case LessonCondition::Is::different: return order != 0;
    case LessonCondition::Is::less: return order < 0;
    case LessonCondition::Is::at_most: return order <= 0;
    case LessonCondition::Is::more: return order > 0;
    case LessonCondition::Is::at_least: return order >= 0;
    }
    return false;
}

}   // namespace

const std::vector<std::string>& lesson_actions()
{
    static const std::vector<std::string> words{"preset", "set",  "train", "wait",   "view", "input",
                                                "point",  "tool", "press", "choose", "value"};
    return words;
}

const std::vector<LessonTool>& lesson_tools()
{
    static const std::vector<LessonTool> tools{
        {"predictions", ""},
        {"simplex", ""},
        {"beta", ""},
        {"bridge_sampling", "bridgeSamplingAction"},
        {"double_well", "doubleWellAction"},
        {"bandit", "banditAction"},
        {"sweep", "sweepAction"},
        {"papers", "papersAction"},
        {"test_rows", "testRowsAction"},
        {"data_sets", "dataSetsAction"},
        {"logits", "openLogitsAction"},
    };
    return tools;
}

bool fits_answer(const LessonNumber& asked, double right, double typed)
{
    const double tolerance = asked.percent ? std::fabs(right) * asked.tolerance / 100 : asked.tolerance;
    // 0.1 + 0.2 is typed as 0.3: ignore rounding errors of doubles
    return std::fabs(typed - right) <= tolerance + 1e-9 * std::max(1.0, std::fabs(right));
}

bool fulfils(const LessonCondition& condition, const std::string& value)
{
    const auto left = number_from(value), right = number_from(condition.text);
    if (left && right)
        return std::isfinite(*left) && holds(condition.is, *left < *right ? -1 : *left > *right ? 1 : 0);
    if (condition.is != LessonCondition::Is::equal && condition.is != LessonCondition::Is::different)
        return false;   // words have no order
    return holds(condition.is, lower_case(value).compare(lower_case(condition.text)));
}

}   // namespace credence
