// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/lesson_controls.h"
#include "lessons/lesson_panel.h"
#include "lessons/lesson_player.h"
#include "lessons/lesson_state.h"

#include <QObject>

#include <optional>

class WindowPart;

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
