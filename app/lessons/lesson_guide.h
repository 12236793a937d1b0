// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/lesson.h"
#include "lessons/lesson_controls.h"
#include "lessons/lesson_panel.h"
#include "lessons/lesson_state.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <optional>
#include <vector>

struct AppContext;
class ViewNavigator;
class StudyPanel;
class QWidget;
class WindowPart;

/// The functions and parts of the window that lessons use.
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
    void continuePlaying();
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

/// The open lesson: panel, frames and player follow its steps.
class LessonGuide : public QObject {
    Q_OBJECT
public:
    LessonGuide(const LessonStage& stage, QObject* parent);

    LessonPanel* panel() const { return m_panel; }
    static const std::vector<LessonLineInList>& shipped();   ///< the built-in lessons, in order
    /// The part of the window with the panel. While it is closed nothing is outlined or played; the step is kept.
    void setPart(WindowPart& part);

    void showList();   ///< Help › Lessons
    /// Opens a built-in lesson by id, or a file. An error is shown in one sentence with its line,
    /// and the open lesson stays.
    bool open(const QString& idOrFile);
    void ask();   ///< Asks for a file.

    const credence::Lesson* lesson() const { return m_lesson ? &*m_lesson : nullptr; }   ///< null: none open
    std::size_t step() const { return m_step; }
    LessonPlayer& player() { return m_player; }
    HighlightFrames& frames() { return m_frames; }
    const LessonState& state() const { return m_state; }

public slots:
    void showMe();   ///< Plays the step, or stops playing it.
    void next();     ///< After the last step, shows the list.
    void back();
    /// For the space bar in lectures: plays the step; if it has been played, goes to the next step.
    /// Does nothing while playing.
    void showNextStep();

private:
    void fillList();
    void showStep(std::size_t step);
    void outlineStep();
    void openPart();
    void rest();
    QString named(int line, const QString& sentence) const;

    LessonStage m_stage;
    LessonState m_state;
    LessonPanel* m_panel;
    WindowPart* m_part = nullptr;
    HighlightFrames m_frames;
    LessonPlayer m_player;
    std::optional<credence::Lesson> m_lesson;
    QString m_file;   ///< file of the lesson, for messages and images
    std::size_t m_step = 0;
    bool m_shown       = false;   ///< the step has been played
};
