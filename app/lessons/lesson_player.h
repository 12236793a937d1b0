// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/lesson.h"
#include "lessons/lesson_stage.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <vector>

/// Performs a step line by line through the user's controls; each line waits until the previous one
/// has taken effect. Does not block.
class LessonPlayer : public QObject {
    Q_OBJECT
public:
    LessonPlayer(LessonStage stage, QObject* parent);

    /// Starts, replacing the current playback.
    void play(std::vector<credence::LessonAction> actions);
    void stop();   ///< after the current line; started work continues
    bool playing() const { return m_playing; }
    void setPause(int milliseconds) { m_pause = milliseconds; }   ///< between two lines, for the eye

signals:
    void finished();
    void failed(int line,
                const QString& sentence);   ///< what cannot be done, and why; begins with a small letter, has no point
    void acting(const QString& control);    ///< the one that is used next; empty: none

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
    int m_idle         = 0;   // number of idle checks in a row
    int m_pause        = 350;
    QString m_refused;   // what the Study under edit is refused for; empty: nothing
    QString m_failed;    // what the training failed by, since the line began
    QTimer m_look;
};
