// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parts/appearance.h"

#include <QFont>
#include <QObject>
#include <QPointer>
#include <QTimer>
#include <QWidget>

#include <utility>
#include <vector>

/// A ring around the pointer in all windows of the program, for audiences. It ignores clicks and
/// becomes a disc while a button is pressed.
class PointerRing : public QObject {
    Q_OBJECT
public:
    explicit PointerRing(QObject* parent);
    void setOn(bool on);

private:
    void follow();

    QTimer m_clock;
    QPointer<QWidget> m_ring;   // a child of the current window, deleted with it
};

class Workbench;
class QAction;
class QMenu;
class QWidget;

/// Makes the window readable for an audience with one key: larger type, thicker lines, black on
/// white, few parts, a ring around the pointer. Leaving restores everything.
class LectureMode : public QObject {
    Q_OBJECT
public:
    /// @param workbench  must outlive this
    LectureMode(Workbench& workbench, QWidget* window);

    bool on() const { return m_on; }
    void setOn(bool on);
    void fill(QMenu* menu);   ///< adds the switch with its shortcut, and the choices

signals:
    void changed(bool on);
    void lessonStepWanted();   ///< the next one of the lesson that is open

private:
    bool eventFilter(QObject* receiver, QEvent* event) override;
    void enter();
    void leave();
    double factor() const;   ///< factor by which type and lines grow
    void enlarge();
    void shrinkAgain();
    void lookAgain();   ///< applies a changed choice while the mode is on

    Workbench& m_workbench;
    QWidget* m_window;
    PointerRing m_ring{this};
    QAction* m_switch;
    bool m_on = false;
    Theme m_theme{};                                          // before lecture mode
    QFont m_font;                                             // likewise
    QSize m_size;                                             // of the window
    std::vector<std::pair<QPointer<QWidget>, QFont>> m_own;   // of widgets that have one of their own
};
