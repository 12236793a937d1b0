// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lesson_state.h"

#include "lessons/lesson.h"
#include "lessons/lesson_controls.h"
#include "parts/view_panel.h"
#include "session/app_context.h"
#include "work/text.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "study/fields.h"

#include <algorithm>

using namespace credence;

namespace {

using Known = std::optional<std::string>;

Known textOf(std::optional<double> number) { return number ? Known(plain_text(*number)) : std::nullopt; }

Known settingOf(const Study& study, const std::string& path)
{
    const Field& named = field(path);
    return named.applies(study) ? Known(value_text(named.get(study))) : std::nullopt;
}

const char* wordOf(Session::State state)
{
    switch (state) {
    case Session::State::preparing: return "preparing";
    case Session::State::refused: return "refused";
    case Session::State::ready: return "ready";
    case Session::State::running: return "running";
    case Session::State::paused: return "paused";
    case Session::State::ended: return "ended";
    }
    return "";
}

std::string withoutBlanks(std::string words)
{
    std::replace(words.begin(), words.end(), ' ', '_');
    return words;
}

Known textOfCell(const Cell& cell)
{
    if (const auto* words = std::get_if<std::string>(&cell))
        return *words;
    if (const auto* whole = std::get_if<long>(&cell))
        return std::to_string(*whole);
    return plain_text(std::get<double>(cell));
}

}   // namespace

std::optional<std::string> LessonState::value(const std::string& name) const
{
    const auto parts    = lesson_name_parts(name);
    const auto& root    = parts.front();
    const auto& session = m_context.session;
    const auto& shown   = session.run().experiment;
    const auto yesOrNo  = [](bool yes) { return std::string(yes ? "yes" : "no"); };
    const auto& kept    = m_context.runs;
    if (root == "run")
        return ofRun(parts.at(1));
    if (root == "study")
        return settingOf(session.study(), parts.at(1));
    if (root == "shown")
        return shown ? settingOf(shown->study, parts.at(1)) : std::nullopt;
    if (root == "block")
        return ofBlock(parts.at(1), parts.at(2));
    if (root == "input")
        return ofInput(parts.at(1));
    if (root == "points")
        return shown ? Known(std::to_string(shown->data->training.n_rows)) : std::nullopt;
    if (root == "runs")
        return std::to_string(parts.at(1) == "kept" ? static_cast<std::size_t>(kept.rowCount())
                                                    : kept.checked().size());
    if (root == "table")
        return ofTable(parts);
    if (root == "visible") {
        const auto place = lessonPlace(m_window, toQString(parts.at(1)));
        return yesOrNo(place && place->widget->isVisible());
    }
    const auto words = controlText(m_window, toQString(parts.at(1)));   // "control"
    return words ? Known(words->toStdString()) : std::nullopt;
}

std::optional<double> LessonState::number(const std::string& name) const
{
    const auto text = value(name);
    return text ? number_from(*text) : std::nullopt;
}

bool LessonState::fulfils(const std::vector<LessonCondition>& conditions) const
{
    return std::all_of(conditions.begin(), conditions.end(), [this](const LessonCondition& one) {
        const auto found = value(one.name);
        return found && credence::fulfils(one, *found);
    });
}

std::optional<std::string> LessonState::ofRun(const std::string& key) const
{
    const auto& session = m_context.session;
    if (key == "state")
        return wordOf(session.state());
    if (key == "recorded")
        return std::to_string(session.run().recorded().size());
    const auto snapshot = session.run().current().snapshot;
    if (!snapshot || session.run().ofOutputs())
        return {};
    const auto& point = snapshot->point;
    if (key == "step")
        return std::to_string(point.step);
    if (key == "epoch")
        return plain_text(point.epoch);
    if (key == "data_loss")
        return textOf(point.data_loss);
    if (key == "kl")
        return textOf(point.kl);
    return textOf(key == "training_error" ? point.training_error : point.test_error);
}

std::optional<std::string> LessonState::ofBlock(const std::string& number, const std::string& key) const
{
    const auto snapshot = m_context.session.run().current().snapshot;
    if (!snapshot || m_context.session.run().ofOutputs())
        return {};
    const auto blocks = snapshot->posterior->describe();
    const auto index  = static_cast<std::size_t>(number_from(number).value_or(0));
    if (index < 1 || index > blocks.size())
        return {};
    const auto& block = blocks[index - 1];
    return textOf(key == "tau"            ? block.tau
                  : key == "rho"          ? block.rho
                  : key == "dropout_rate" ? block.dropout_rate
                                          : std::optional(key == "mean_abs" ? block.mean_abs
                                                          : key == "sd"     ? block.median_sd
                                                                            : block.median_relative_sd));
}

std::optional<std::string> LessonState::ofInput(const std::string& key) const
{
    const auto& selection = m_context.selection;
    const auto& chosen    = selection.chosen();
    if (key == "row")
        return chosen.input.empty() ? Known(std::to_string(chosen.row))
               : chosen.madeOf      ? Known(std::to_string(*chosen.madeOf))
                                    : std::nullopt;
    const auto numbers = selection.numbers();
    const auto index   = static_cast<std::size_t>(number_from(key).value_or(0));
    return index >= 1 && index <= numbers.size() ? Known(plain_text(numbers[index - 1])) : std::nullopt;
}

/// Reads visible views only, since others may be outdated.
std::optional<std::string> LessonState::ofTable(const std::vector<std::string>& parts) const
{
    const auto* panel = qobject_cast<const ViewPanel*>(lessonControl(m_window, "view/" + toQString(parts.at(1))));
    if (!panel || !panel->isVisible() || !panel->hasChart())
        return {};
    const Table table  = data_table(panel->chart());
    const auto row     = static_cast<std::size_t>(number_from(parts.at(2)).value_or(0));
    std::size_t column = 0;
    while (column < table.columns.size() && withoutBlanks(table.columns[column].name) != parts.at(3))
        ++column;
    if (column == table.columns.size())
        if (const auto place = number_from(parts.at(3)); place && *place >= 1 && *place <= 1e6)
            column = static_cast<std::size_t>(*place) - 1;
    if (row < 1 || row > table.rows.size() || column >= table.rows[row - 1].size())
        return {};
    return textOfCell(table.rows[row - 1][column]);
}
