// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/lesson.h"

#include <optional>
#include <string>
#include <vector>

class QWidget;
struct AppContext;

/// The program's state, by the names of `lesson_names`.
class LessonState {
public:
    LessonState(const AppContext& context, const QWidget& window) : m_context(context), m_window(window) {}

    /// Empty: currently unknown. Numbers have a decimal point and full precision.
    std::optional<std::string> value(const std::string& name) const;
    /// empty: unknown or not a number
    std::optional<double> number(const std::string& name) const;
    bool fulfils(const std::vector<credence::LessonCondition>& conditions) const;   ///< are all conditions fulfilled?

private:
    std::optional<std::string> ofRun(const std::string& key) const;
    std::optional<std::string> ofBlock(const std::string& number, const std::string& key) const;
    std::optional<std::string> ofInput(const std::string& key) const;
    std::optional<std::string> ofTable(const std::vector<std::string>& parts) const;

    const AppContext& m_context;
    const QWidget& m_window;
};
