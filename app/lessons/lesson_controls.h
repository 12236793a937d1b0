// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QRect>
#include <QString>
#include <QTimer>
#include <QWidget>

#include <optional>
#include <vector>

class QAction;

/// Location of a visible part of the window: a part of a widget.
struct LessonPlace {
    QWidget* widget = nullptr;
    QRect part{};   ///< in coordinates of the widget
};

// The controls of the window by object name, as used in lessons; each acts like a user. Errors are
// returned as a clause without capital letter and full stop, since file and line are put before it;
// empty: done.

/// The widget with this name, preferring visible ones; a view is also found by its id, and
/// "page:name" selects the one within another if several pages have one. Null: none.
QWidget* lessonControl(const QWidget& window, const QString& name);
/// The action of a menu or the toolbar with this name; null: none.
QAction* lessonAction(const QWidget& window, const QString& name);
/// Where the control is visible: a toolbar action at its button, a menu action at the menu. Empty:
/// no such control, or it is not visible.
std::optional<LessonPlace> lessonPlace(const QWidget& window, const QString& name);

QString pressControl(const QWidget& window, const QString& name);
QString chooseInControl(const QWidget& window, const QString& name, const QString& text);
QString setControl(const QWidget& window, const QString& name, const QString& text);
/// The value of the control: a number with a decimal point, a text, "on" or "off". Empty: no such
/// control, or it has no value.
std::optional<QString> controlText(const QWidget& window, const QString& name);

/// An outline around a control, drawn over its window. Ignores clicks and focus.
class HighlightFrame : public QWidget {
    Q_OBJECT
public:
    explicit HighlightFrame(QWidget* window);
    void surround(const QRect& part);   ///< in window coordinates

private:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
};

/// Outlines controls by name and follows them when they are moved, scrolled, hidden or recreated.
class HighlightFrames : public QObject {
    Q_OBJECT
public:
    HighlightFrames(QWidget& window, QObject* parent);

    void show(const std::vector<QString>& names);   ///< Replaces the previous outlines.
    void clear() { show({}); }
    int visible() const;   ///< number of controls currently outlined

private:
    void follow();

    struct Outlined {
        QString name;
        QPointer<QWidget> target;
        QRect part;   // Part of the target, such as one menu in the menu bar; empty: all of it.
        QPointer<HighlightFrame> frame;
    };
    QWidget& m_window;
    std::vector<Outlined> m_outlined;
    QTimer m_follow;
};
