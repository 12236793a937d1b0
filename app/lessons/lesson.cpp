// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lesson.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/text.h"
#include "study/fields.h"
#include "views/views.h"

#include <algorithm>
#include <array>
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

namespace {

constexpr std::size_t longest_name = 160;   ///< bytes

bool is_count(const std::string& text)
{
    return !text.empty() && text.size() < 8 && text.find_first_not_of("0123456789") == std::string::npos && text != "0";
}

bool is_quantity_of_block(const std::string& text)
{
    constexpr std::array known{"tau", "rho", "dropout_rate", "mean_abs", "sd", "relative_sd"};
    return std::find(known.begin(), known.end(), text) != known.end();
}

std::vector<std::string> between_points(const std::string& name)
{
    std::vector<std::string> parts;
    for (std::size_t from = 0; from <= name.size();) {
        const auto to = std::min(name.find('.', from), name.size());
        parts.push_back(name.substr(from, to - from));
        from = to + 1;
    }
    return parts;
}

}   // namespace

const std::vector<LessonName>& lesson_names()
{
    static const std::vector<LessonName> names{
        {"run.state", "state of the displayed run: preparing, refused, ready, running, paused or ended"},
        {"run.step", "its newest step, or the step shown by the time machine"},
        {"run.epoch", "the same in epochs"},
        {"run.data_loss", "mean negative log-likelihood of the last minibatches, nats per example"},
        {"run.kl", "KL from the prior to the posterior, nats"},
        {"run.training_error", "fraction of training rows predicted wrongly; RMSE for a numeric target"},
        {"run.test_error", "the same for the test rows"},
        {"run.recorded", "number of recorded steps in the time machine"},
        {"study.PATH", "a setting of the Study under edit, by its path: study.training.steps"},
        {"shown.PATH", "the same for the displayed run"},
        {"block.N.tau",
         "τ of block N, counted from 1 as in the table of the view Layers: weights of layer 1, biases of layer 1, …"},
        {"block.N.rho", "ρ of block N"},
        {"block.N.dropout_rate", "dropout rate of block N"},
        {"block.N.mean_abs", "mean of |mean| over block N"},
        {"block.N.sd", "median standard deviation of block N"},
        {"block.N.relative_sd", "median of σ/|μ| over block N"},
        {"input.row", "row of the selected input; unknown for a point of the map"},
        {"input.K", "value K of the selected input, from 1: input.1, input.2"},
        {"points", "number of training rows of the displayed run"},
        {"runs.kept", "number of saved runs"},
        {"runs.ticked", "number of ticked runs"},
        {"table.VIEW.ROW.COLUMN",
         "a cell of a visible view's table (Show data): row from 1, column by its heading with _ for each blank, "
         "or by its number from 1"},
        {"visible.NAME", "yes or no: is the control, part of the window or view of this name visible?"},
        {"control.NAME", "value of the control of this name: a number, a text, on or off"},
    };
    return names;
}

std::vector<std::string> lesson_name_parts(const std::string& name)
{
    if (name.size() > longest_name)
        throw Error("found \"" + one_line(name, 80) + "\", expected a name of the program's state.");
    auto parts       = between_points(name);
    const auto rest  = [&] { return name.substr(parts[0].size() + 1); };
    const auto& root = parts[0];
    if (parts.size() > 1 && (root == "study" || root == "shown")) {
        field(rest());   // its error suggests similar names
        return {root, rest()};
    }
    if (parts.size() > 1 && (root == "visible" || root == "control") && !rest().empty())
        return {root, rest()};
    if (parts.size() == 3 && root == "block" && is_count(parts[1]) && is_quantity_of_block(parts[2]))
        return parts;
    if (parts.size() == 2 && root == "input" && is_count(parts[1]))
        return parts;
    if (parts.size() >= 4 && root == "table" && is_count(parts[2])) {
        view(parts[1]);   // its error lists the names
        const auto column = name.substr(root.size() + parts[1].size() + parts[2].size() + 3);   // can contain periods
        if (!column.empty())
            return {root, parts[1], parts[2], column};
    }
    std::string known;
    for (const auto& one : lesson_names()) {
        if (one.name == name && std::none_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; }))
            return parts;
        known += (known.empty() ? "" : ", ") + one.name;
    }
    throw Error("found \"" + one_line(name, 80) + "\", expected a name of the program's state: one of " + known + ".");
}

}   // namespace credence
