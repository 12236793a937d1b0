// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTextBrowser>
#include <QToolButton>

#include <functional>
#include <initializer_list>

/// The small "?" next to a control or a number: opens formula, unit, source and current value. It
/// appears while the mouse is over the widget around it or its control has the focus.
class HelpMark : public QToolButton {
    Q_OBJECT
public:
    /// Explains its parent with everything in it.
    ///
    /// @param subject  what it explains, for screen readers
    /// @param text     HTML, created when the mark is pressed, so that it contains the current
    ///        value
    HelpMark(const QString& subject, std::function<QString()> text, QWidget* parent = nullptr);
    /// Explains these controls instead, with everything in them.
    HelpMark(const QString& subject, std::function<QString()> text, std::initializer_list<QWidget*> controls,
             QWidget* parent);
    ~HelpMark() override;

private:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showIfNear();
    void showPopover();
    std::function<QString()> m_text;
};

/// Converts plain text of the core to HTML: escaped, line breaks preserved.
QString htmlFrom(const std::string& words);

class QWidget;

/// F1 on a control opens its help mark, so that marks need not be tab stops. Elsewhere F1 triggers
/// the menu.
class FieldHelpKey : public QObject {
    Q_OBJECT
public:
    explicit FieldHelpKey(QObject* parent);   ///< for the whole program, for as long as it lives
    /// The visible mark that explains the control, or else the innermost of its parents within the
    /// window. Null: none.
    static HelpMark* markOf(const QWidget* control);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

/// A help text in which the formulas of resources/formulas.json are typeset: pictures in the colour
/// and size of the text, which follow theme and text size. Screen readers and the clipboard get
/// them as text. If Credence was built without matplotlib, formulas stay text.
class HelpText : public QTextBrowser {
    Q_OBJECT
public:
    explicit HelpText(QWidget* parent);
    void showHtml(const QString& html);
    void showMarkdown(const QString& markdown);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    QMimeData* createMimeDataFromSelection() const override;

private:
    void typeset();
    void draw();
};
