// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/lesson.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <vector>

class QWidget;
class StudyPanel;
class ViewNavigator;
struct AppContext;

/// What lessons need from their window.
struct LessonStage {
    QWidget& window;
    AppContext& context;
    StudyPanel& study;
    const ViewNavigator& navigator;
};

/// Performs a step line by line through the user's controls; each line waits until the previous one
/// has taken effect. Does not block.
class LessonPlayer : public QObject {
    Q_OBJECT
public:
    LessonPlayer(LessonStage stage, QObject* parent);

    /// Starts, replacing the current playback.
    void play(std::vector<credence::LessonAction> actions);
    void stop();   ///< Stops after the current line; work already started continues.
    bool playing() const { return m_playing; }
    /// Pause between two lines, so that the viewer can follow.
    void setPause(int milliseconds) { m_pause = milliseconds; }

signals:
    void finished();
    void failed(int line,
                const QString& sentence);   ///< Error as a clause: starts with a small letter, no full stop.
    void acting(const QString& control);    ///< the control used next; empty: none

private:
    enum class Wait { nothing, ready, trained, idle };
    void goOn();
    void begin(const credence::LessonAction& action);
    QString perform(const credence::LessonAction& action);
    QString train();
    QString showView(const std::string& id);
    QString choosePreset(const std::string& id);
    void leaveFile();
    QString setting(const credence::LessonAction& action);
    QString input(const credence::LessonAction& action);
    QString openTool(const std::string& id);
    bool settled();
    bool toolsBusy() const;
    void fail(const QString& sentence);

    LessonStage m_stage;
    std::vector<credence::LessonAction> m_actions;
    std::size_t m_next = 0;
    bool m_playing     = false;
    Wait m_wait        = Wait::nothing;
    int m_idle         = 0;   // consecutive idle checks
    int m_pause        = 350;
    QString m_refused;   // why the Study under edit was refused; empty: it was not
    QString m_failed;    // training error since the line began
    QTimer m_look;
};
