// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/lesson.h"

#include <QWidget>

#include <functional>
#include <optional>
#include <string>
#include <vector>

class LessonState;
class QAbstractButton;
class QLabel;
class QLineEdit;
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
    /// Was the answer right? Empty: no answer, and `m_verdict` has the reason.
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
