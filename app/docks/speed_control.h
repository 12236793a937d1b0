// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parts/menu_button.h"

class QActionGroup;
class Session;

/// How fast training goes: full speed, or slow motion of so many steps a second, in which each step can be seen. The numbers of the run stay the same.
class SpeedControl : public MenuButton {
    Q_OBJECT
public:
    /// Stands in the status bar; its menu can stand elsewhere, too.
    SpeedControl(Session& session, QWidget* parent);

private:
    void set(int stepsPerSecond);
    void move(int by);   ///< along the list, 1: slower

    Session& m_session;
    QActionGroup* m_speeds;
};
