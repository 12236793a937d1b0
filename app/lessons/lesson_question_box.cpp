// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lesson_question_box.h"

#include "lessons/lesson_state.h"
#include "work/text.h"

#include "foundation/number_text.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

#include <algorithm>

using namespace credence;

namespace {

/// The text of a choice, wrapped; a click on it clicks its button.
class ChoiceWords : public QLabel {
public:
    ChoiceWords(const QString& words, QAbstractButton* button) : QLabel(words, button->parentWidget()), m_button(button)
    {
        setWordWrap(true);
        setTextFormat(Qt::PlainText);
    }

private:
    void mouseReleaseEvent(QMouseEvent* event) override
    {
        if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint())) {
            m_button->setFocus();
            m_button->click();
        }
    }
    QAbstractButton* m_button;
};

}   // namespace

LessonQuestionBox::LessonQuestionBox(const LessonState& state, QWidget* parent)
    : QWidget(parent), m_state(state), m_rows(new QVBoxLayout(this))
{
    m_rows->setContentsMargins(0, 4, 0, 0);
    m_rows->setSpacing(4);
    m_words = new QLabel(this);
    m_words->setObjectName(QStringLiteral("lessonQuestion"));
    m_words->setWordWrap(true);
    m_words->setTextFormat(Qt::MarkdownText);
    QFont bold = m_words->font();
    bold.setBold(true);
    m_words->setFont(bold);
    m_check = new QPushButton(tr("Check"), this);
    m_check->setObjectName(QStringLiteral("lessonCheck"));
    m_check->setToolTip(tr("Compare the answer with the solution or with the current state of the window"));
    m_check->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(m_check, &QAbstractButton::clicked, this, &LessonQuestionBox::check);
    m_verdict = new QLabel(this);
    m_verdict->setObjectName(QStringLiteral("lessonVerdict"));
    m_verdict->setWordWrap(true);
    m_verdict->setTextFormat(Qt::MarkdownText);
    m_verdict->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_rows->addWidget(m_words);
    m_rows->addWidget(m_check);
    m_rows->addWidget(m_verdict);
    hide();
}

void LessonQuestionBox::ask(const LessonQuestion* question)
{
    m_question = question;
    m_answered = false;
    delete m_answer;
    m_answer = nullptr;
    m_field  = nullptr;
    m_choices.clear();
    m_verdict->hide();
    m_verdict->clear();
    setVisible(question != nullptr);
    if (question)
        build();
}

void LessonQuestionBox::build()
{
    m_words->setText(toQString(m_question->text));
    if (const auto* choices = std::get_if<std::vector<LessonChoice>>(&m_question->answer))
        addChoices(*choices);
    else if (std::holds_alternative<LessonNumber>(m_question->answer))
        addField();
    if (!m_answer)
        return;
    m_rows->insertWidget(1, m_answer);
    // widgets created later would come last in the window's tab order
    QWidget* before     = m_check->previousInFocusChain();
    const auto controls = m_field ? std::vector<QWidget*>{m_field}
                                  : std::vector<QWidget*>(m_choices.begin(), m_choices.end());
    for (auto* each : controls) {
        setTabOrder(before, each);
        before = each;
    }
    setTabOrder(before, m_check);
}

void LessonQuestionBox::addChoices(const std::vector<LessonChoice>& choices)
{
    m_answer          = new QWidget(this);
    auto* grid        = new QGridLayout(m_answer);
    const auto right  = std::count_if(choices.begin(), choices.end(), [](const auto& one) { return one.right; });
    const bool single = right == 1;
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(3);
    grid->setColumnStretch(1, 1);
    for (const auto& one : choices) {
        const int row   = static_cast<int>(m_choices.size());
        auto* button    = single ? static_cast<QAbstractButton*>(new QRadioButton(m_answer)) : new QCheckBox(m_answer);
        const auto text = toQString(one.text);
        button->setObjectName(QStringLiteral("lessonChoice%1").arg(row));
        button->setAccessibleName(text);
        m_choices.push_back(button);
        grid->addWidget(button, row, 0, Qt::AlignTop);
        grid->addWidget(new ChoiceWords(text, button), row, 1);
    }
}

void LessonQuestionBox::addField()
{
    m_answer  = new QWidget(this);
    auto* row = new QHBoxLayout(m_answer);
    row->setContentsMargins(0, 0, 0, 0);
    m_field = new QLineEdit(m_answer);
    m_field->setObjectName(QStringLiteral("lessonAnswer"));
    m_field->setAccessibleName(tr("Your answer, a number"));
    m_field->setPlaceholderText(tr("a number"));
    m_field->setMaximumWidth(140);
    connect(m_field, &QLineEdit::returnPressed, this, &LessonQuestionBox::check);
    row->addWidget(m_field);
    row->addStretch(1);
}

QString LessonQuestionBox::verdict() const { return m_verdict->text(); }

void LessonQuestionBox::notify(const QString& words, bool right)
{
    m_answered = right;
    m_verdict->setText(words);
    m_verdict->show();
    Q_EMIT checked(right);
}

void LessonQuestionBox::check()
{
    if (!m_question)
        return;
    m_verdict->clear();
    const auto right = std::visit([this](const auto& answer) { return judged(answer); }, m_question->answer);
    if (!right)
        return;
    if (*right)
        notify(m_question->because.empty() ? tr("✓ **Right.**")
                                           : tr("✓ **Right.** %1").arg(toQString(m_question->because)),
               true);
    else
        notify(tr("✗ **Not yet.** %1").arg(toQString(m_question->hint)), false);
}

std::optional<bool> LessonQuestionBox::judged(const LessonNumber& asked)
{
    const auto given = number_from(m_field->text().trimmed().toStdString());
    if (!given) {
        notify(tr("Type a number with a decimal point: 0.25."), false);
        return {};
    }
    const auto right = asked.name.empty() ? std::optional(asked.value) : m_state.number(asked.name);
    if (!right) {
        notify(tr("The requested number is not available yet. Do what this step shows first."), false);
        return {};
    }
    return fits_answer(asked, *right, *given);
}

std::optional<bool> LessonQuestionBox::judged(const std::vector<LessonChoice>& choices)
{
    const auto ticked = [](const auto* button) { return button->isChecked(); };
    if (std::none_of(m_choices.begin(), m_choices.end(), ticked)) {
        notify(tr("Choose an answer."), false);
        return {};
    }
    for (std::size_t i = 0; i < choices.size(); ++i)
        if (choices[i].right != m_choices[i]->isChecked())
            return false;
    return true;
}

std::optional<bool> LessonQuestionBox::judged(const std::vector<LessonCondition>& conditions)
{
    return m_state.fulfils(conditions);
}
