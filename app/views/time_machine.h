// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QSlider;
class QToolButton;
class QuietParts;
class Session;

/// A slider over the recorded steps of the displayed run. It moves all views to that step; at its
/// right end they follow the newest one. Until there are two steps, only its space is kept.
class TimeMachine : public QWidget {
    Q_OBJECT
public:
    explicit TimeMachine(Session& session, QWidget* parent = nullptr);
    void move(int by);   ///< recorded steps, negative: back

private:
    void refresh();

    Session& m_session;
    QSlider* m_slider;
    QLabel* m_step;
    QToolButton* m_newest;
    QuietParts* m_quiet;
};
