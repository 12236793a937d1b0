// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parts/menu_button.h"

class QActionGroup;
class Session;

/// Training speed: full speed, or slow motion with a number of steps per second. The results do not
/// change.
class SpeedControl : public MenuButton {
    Q_OBJECT
public:
    /// Placed in the status bar; its menu can be used elsewhere too.
    SpeedControl(Session& session, QWidget* parent);

private:
    void set(int stepsPerSecond);
    void move(int by);   ///< along the list, 1: slower

    Session& m_session;
    QActionGroup* m_speeds;
};
