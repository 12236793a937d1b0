// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/lesson.h"
#include "parts/help_mark.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <optional>
#include <string>
#include <vector>

class LessonState;
class MistakeLabel;
class QAbstractButton;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QScrollArea;
class QStackedWidget;
class QVBoxLayout;

/// The question of a step: text, a field or choices, Check, and feedback.
class LessonQuestionBox : public QWidget {
    Q_OBJECT
public:
    /// @param state  compared with answers; must outlive this
    LessonQuestionBox(const LessonState& state, QWidget* parent);

    void ask(const credence::LessonQuestion* question);   ///< null: no question. Must remain valid until the next call.
    bool answered() const { return m_answered; }          ///< correctly
    QString verdict() const;                              ///< feedback on the last answer; empty: no answer yet

public slots:
    void check();

signals:
    void checked(bool right);

private:
    void build();
    void addChoices(const std::vector<credence::LessonChoice>& choices);
    void addField();
    /// Returns whether the answer was correct. Empty: there is no answer, and `m_verdict` contains
    /// the reason.
    std::optional<bool> judged(const credence::LessonNumber& asked);
    std::optional<bool> judged(const std::vector<credence::LessonChoice>& choices);
    std::optional<bool> judged(const std::vector<credence::LessonCondition>& conditions);
    void notify(const QString& words, bool right);

    const LessonState& m_state;
    const credence::LessonQuestion* m_question = nullptr;
    QVBoxLayout* m_rows;
    QWidget* m_answer  = nullptr;   // field or choices
    QLineEdit* m_field = nullptr;
    QLabel *m_words = nullptr, *m_verdict = nullptr;
    QAbstractButton* m_check = nullptr;
    std::vector<QAbstractButton*> m_choices;
    bool m_answered = false;
};

/// A text view with the height of its text, for a page that scrolls as a whole.
class LessonText : public HelpText {
    Q_OBJECT
public:
    explicit LessonText(QWidget* parent);

private:
    void fitHeight();
};

/// One line of the list of lessons.
struct LessonLineInList {
    QString id;   ///< id of a built-in lesson, or path of the user's own file
    QString title, about;
    double minutes = 0;
};

/// The lesson at the left of the window: the list of lessons, or one step. Logic is in LessonGuide.
class LessonPanel : public QWidget {
    Q_OBJECT
public:
    LessonPanel(const LessonState& state, QWidget* parent);

    void setList(const std::vector<LessonLineInList>& lessons);
    void showList();
    /// @param folder  location of the images in the text
    void showStep(const credence::Lesson& lesson, std::size_t step, const QString& folder);
    void setPlaying(bool playing);
    void takeFocus();                       ///< Focuses the list or the controls of the step.
    void notify(const QString& sentence);   ///< Shows an error; empty: none.
    QString notice() const;
    LessonQuestionBox& question() { return *m_question; }
    QSize sizeHint() const override { return {316, 420}; }   // next to the Study panel, with the same width

signals:
    void openRequested(const QString& id);
    void fileRequested();
    void listRequested();
    void showRequested();   ///< play the step, or stop playing it
    void nextRequested();
    void backRequested();

private:
    QWidget* buildList();
    QWidget* buildStep(const LessonState& state);
    QWidget* buildButtons();

    QStackedWidget* m_pages;
    QListWidget* m_list;
    QLabel *m_title, *m_where;
    QScrollArea* m_scroll;
    LessonText* m_text;
    LessonQuestionBox* m_question;
    MistakeLabel* m_mistake;
    QPushButton *m_back, *m_show, *m_next;
    bool m_canShow = false;
};
