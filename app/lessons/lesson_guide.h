// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/highlight_frames.h"
#include "lessons/lesson_panel.h"
#include "lessons/lesson_player.h"
#include "lessons/lesson_state.h"

#include <QObject>

#include <optional>

class QDockWidget;

/// A lesson that is open, and what is done with it: panel, frames and player follow its steps.
class LessonGuide : public QObject {
    Q_OBJECT
public:
    LessonGuide(const LessonStage& stage, QObject* parent);

    LessonPanel* panel() const { return m_panel; }
    /// The dock that the panel stands in. While it is closed nothing is outlined and nothing played; the step stays.
    void setDock(QDockWidget* dock);

    void showList();   ///< Help ▸ Lessons
    /// A lesson that comes with the program, by its id, or one's own file. What is wrong with it is said in one sentence with its line, and what was open stays.
    bool open(const QString& idOrFile);
    void ask();   ///< which file

    const credence::Lesson* lesson() const { return m_lesson ? &*m_lesson : nullptr; }   ///< null: none is open
    std::size_t step() const { return m_step; }
    LessonPlayer& player() { return m_player; }
    HighlightFrames& frames() { return m_frames; }
    const LessonState& state() const { return m_state; }

public slots:
    void showMe();   ///< what the step says; stops it where it is being shown
    void next();     ///< behind the last step the list comes again
    void back();
    /// For the space bar of a lecture: what the step says is shown; if that was done, the next step comes. While something is being shown: nothing.
    void showNextStep();

private:
    void fillList();
    void showStep(std::size_t step);
    void outlineStep();
    void bringDock();
    void rest();
    QString named(int line, const QString& sentence) const;

    LessonStage m_stage;
    LessonState m_state;
    LessonPanel* m_panel;
    QDockWidget* m_dock = nullptr;
    HighlightFrames m_frames;
    LessonPlayer m_player;
    std::optional<credence::Lesson> m_lesson;
    QString m_file;   ///< of the lesson, for sentences and pictures
    std::size_t m_step = 0;
    bool m_shown       = false;   ///< what the step says was shown
};
