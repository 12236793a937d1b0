// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>

#include <functional>

/// The small "?" next to a control or a number: opens formula, unit, source and current value.
class HelpMark : public QToolButton {
    Q_OBJECT
public:
    /// @param subject  what it explains, for screen readers
    /// @param text     HTML, created when the mark is pressed, so that it contains the current
    ///        value
    HelpMark(const QString& subject, std::function<QString()> text, QWidget* parent = nullptr);

private:
    void showPopover();
    std::function<QString()> m_text;
};

/// Converts plain text of the core to HTML: escaped, line breaks preserved.
QString htmlFrom(const std::string& words);
