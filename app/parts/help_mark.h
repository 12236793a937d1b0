// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>

#include <functional>

/// The small "?" beside a control or a number: its formula, unit, source and value in the current run, in a popover.
class HelpMark : public QToolButton {
    Q_OBJECT
public:
    /// @param subject  what it explains, for screen readers
    /// @param text     made when the mark is pressed, so that the current value is in it; HTML
    HelpMark(const QString& subject, std::function<QString()> text, QWidget* parent = nullptr);

private:
    void showPopover();
    std::function<QString()> m_text;
};

/// Plain words of the core as HTML: escaped, line breaks kept.
QString htmlFrom(const std::string& words);
