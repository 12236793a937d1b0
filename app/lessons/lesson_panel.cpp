// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lesson_panel.h"

#include "foundation/number_text.h"
#include "lessons/lesson_state.h"
#include "parts/form_controls.h"
#include "widgets/chart_palette.h"
#include "work/text.h"

#include <QAbstractTextDocumentLayout>
#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

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

/// A lesson in the list: its title in bold, its minutes next to it, its sentence below.
class LessonDelegate : public QStyledItemDelegate {
public:
    static constexpr int minutesRole = Qt::UserRole + 1, aboutRole = Qt::UserRole + 2, pad = 6;

    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const auto* list = qobject_cast<const QListView*>(option.widget);
        const int width  = list ? list->viewport()->width() - 2 * list->spacing() : option.rect.width();
        return {width, lesson(nullptr, option, index, QRect(0, 0, width, 10000)) + 2 * pad};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        painter->save();
        const auto& colours = option.palette;
        QColor ground       = colours.color(QPalette::Base);
        if (option.state & QStyle::State_Selected)
            ground = laidOver(colours.color(QPalette::Highlight), ground, 0.18);
        else if (option.state & QStyle::State_MouseOver)
            ground = laidOver(colours.color(QPalette::Text), ground, 0.06);
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(option.state & QStyle::State_HasFocus ? QPen(colours.color(QPalette::Highlight), 1)
                                                              : Qt::NoPen);
        painter->setBrush(ground);
        painter->drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), pad, pad);
        lesson(painter, option, index, option.rect, ground);
        painter->restore();
    }

private:
    /// @param painter  null: only measures  @return the height of the text
    static int lesson(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index, QRect room,
                      const QColor& ground = {})
    {
        room.adjust(pad, pad, -pad, -pad);
        QFont bold = option.font;
        bold.setBold(true);
        constexpr int wrapped = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;
        const QString minutes = index.data(minutesRole).toString(), about = index.data(aboutRole).toString();
        const QString title = index.data().toString();
        const QFontMetrics of_title(bold);
        const int gap = option.fontMetrics.horizontalAdvance(minutes) + pad;
        int widest    = 0;
        for (const QString& word : title.split(QLatin1Char(' ')))
            widest = std::max(widest, of_title.horizontalAdvance(word));
        const bool beside = widest <= room.width() - gap;   // otherwise the minutes are below the title
        const QRect place = room.adjusted(0, 0, beside ? -gap : 0, 0);
        const int lines   = of_title.boundingRect(place, wrapped, title).height();
        const int height  = lines + (beside ? 0 : option.fontMetrics.lineSpacing());
        const QRect below = room.adjusted(0, height, 0, 0);
        if (painter) {
            const QColor ink = option.palette.color(QPalette::Text);
            painter->setPen(ink);
            painter->setFont(bold);
            painter->drawText(place, wrapped, title);
            painter->setFont(option.font);
            painter->setPen(legible(laidOver(ink, ground, 0.7), ground));
            painter->drawText(room.adjusted(0, beside ? 0 : lines, 0, 0),
                              (beside ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignTop, minutes);
            painter->drawText(below, wrapped, about);
        }
        return height + option.fontMetrics.boundingRect(below, wrapped, about).height();
    }
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

LessonText::LessonText(QWidget* parent) : HelpText(parent)
{
    setObjectName(QStringLiteral("lessonText"));
    setAccessibleName(tr("Text of the lesson"));   // until a step sets its title
    setFrameShape(QFrame::NoFrame);
    setOpenExternalLinks(true);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    document()->setDocumentMargin(0);
    viewport()->setAutoFillBackground(false);   // no frame, since it is part of the page
    connect(document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, this,
            &LessonText::fitHeight);
}

void LessonText::fitHeight()
{
    setFixedHeight(static_cast<int>(std::ceil(document()->size().height())) + 2 * frameWidth() + 2);
}

LessonPanel::LessonPanel(const LessonState& state, QWidget* parent) : QWidget(parent), m_pages(new QStackedWidget(this))
{
    m_pages->addWidget(buildList());
    m_pages->addWidget(buildStep(state));
    m_mistake = new MistakeLabel(QStringLiteral("lessonMistake"), this);
    m_mistake->setContentsMargins(8, 0, 8, 4);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_pages, 1);
    column->addWidget(m_mistake);
}

QWidget* LessonPanel::buildList()
{
    auto* page = new QWidget(this);
    m_list     = new QListWidget(page);
    m_list->setObjectName(QStringLiteral("lessonList"));
    m_list->setAccessibleName(tr("Lessons"));
    m_list->setItemDelegate(new LessonDelegate(m_list));
    m_list->setMouseTracking(true);
    m_list->setWordWrap(true);   // measures the rows again when the width changes
    m_list->setSpacing(2);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    connect(m_list, &QListWidget::itemActivated, this,
            [this](const QListWidgetItem* item) { Q_EMIT openRequested(item->data(Qt::UserRole).toString()); });
    auto* begin = new QPushButton(tr("Begin"), page);
    begin->setObjectName(QStringLiteral("lessonBegin"));
    begin->setToolTip(tr("Begin the lesson selected in the list"));
    connect(begin, &QPushButton::clicked, this, [this] {
        if (const auto* item = m_list->currentItem())
            Q_EMIT openRequested(item->data(Qt::UserRole).toString());
    });
    auto* open = new QPushButton(tr("Open a file…"), page);
    open->setObjectName(QStringLiteral("lessonOpenFile"));
    open->setToolTip(tr("Open your own lesson: a Markdown file with a few directives"));
    connect(open, &QPushButton::clicked, this, &LessonPanel::fileRequested);
    auto* buttons = new FlowLayout;   // stacked in large type
    buttons->addWidget(begin);
    buttons->addWidget(open);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(6, 4, 6, 6);
    column->addWidget(m_list, 1);
    column->addLayout(buttons);
    return page;
}

QWidget* LessonPanel::buildStep(const LessonState& state)
{
    auto* page = new QWidget(this);
    m_title    = new QLabel(page);
    m_title->setObjectName(QStringLiteral("lessonTitle"));
    m_title->setWordWrap(true);
    m_title->setTextFormat(Qt::PlainText);
    QFont bold = m_title->font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_where = new QLabel(page);
    m_where->setObjectName(QStringLiteral("lessonWhere"));
    auto* all = new QToolButton(page);
    all->setObjectName(QStringLiteral("lessonAll"));
    all->setText(tr("All lessons"));
    all->setAutoRaise(true);
    all->setToolTip(tr("Return to the list of lessons"));
    connect(all, &QToolButton::clicked, this, &LessonPanel::listRequested);
    auto* where = new QHBoxLayout;
    where->addWidget(m_where, 1);
    where->addWidget(all);

    auto* inside = new QWidget(page);
    m_text       = new LessonText(inside);
    m_question   = new LessonQuestionBox(state, inside);
    auto* column = new QVBoxLayout(inside);
    column->setContentsMargins(8, 0, 8, 4);
    column->addWidget(m_text);
    column->addWidget(m_question);
    column->addStretch(1);
    m_scroll = new QScrollArea(page);
    m_scroll->setObjectName(QStringLiteral("lessonScroll"));
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setWidget(inside);
    connect(m_question, &LessonQuestionBox::checked, m_scroll, [this] {
        QTimer::singleShot(0, m_scroll, [this] {   // once it has its new height
            m_scroll->verticalScrollBar()->setValue(m_scroll->verticalScrollBar()->maximum());
        });
    });

    auto* rows = new QVBoxLayout(page);
    rows->setContentsMargins(0, 2, 0, 4);
    rows->setSpacing(2);
    auto* head = new QVBoxLayout;
    head->setContentsMargins(8, 0, 4, 0);
    head->setSpacing(0);
    head->addWidget(m_title);
    head->addLayout(where);
    rows->addLayout(head);
    rows->addWidget(m_scroll, 1);
    rows->addWidget(buildButtons());
    return page;
}

QWidget* LessonPanel::buildButtons()
{
    auto* bar = new QWidget(this);
    auto* row = new FlowLayout(bar);
    row->setContentsMargins(8, 0, 8, 0);
    const auto button = [&](const QString& name, const QString& text, const QString& tip) {
        auto* made = new QPushButton(text, bar);
        made->setObjectName(name);
        made->setToolTip(tip);
        made->setAutoDefault(true);   // Enter presses the focused button
        row->addWidget(made);
        return made;
    };
    m_back = button(QStringLiteral("lessonBack"), tr("Back"), tr("Go to the previous step"));
    m_show = button(QStringLiteral("lessonShow"), tr("Show me"), tr("Perform this step in the window"));
    m_next = button(QStringLiteral("lessonNext"), tr("Next"), tr("Go to the next step"));
    connect(m_back, &QPushButton::clicked, this, &LessonPanel::backRequested);
    connect(m_show, &QPushButton::clicked, this, &LessonPanel::showRequested);
    connect(m_next, &QPushButton::clicked, this, &LessonPanel::nextRequested);
    return bar;
}

void LessonPanel::setList(const std::vector<LessonLineInList>& lessons)
{
    m_list->clear();
    for (const auto& one : lessons) {
        const QString minutes = tr("%1 min").arg(toQString(plain_text(one.minutes)));
        auto* item            = new QListWidgetItem(one.title, m_list);
        item->setData(Qt::UserRole, one.id);
        item->setData(LessonDelegate::minutesRole, minutes);
        item->setData(LessonDelegate::aboutRole, one.about);
        item->setData(Qt::AccessibleTextRole, QStringList{one.title, minutes, one.about}.join(QStringLiteral(", ")));
    }
    m_list->setCurrentRow(0);
}

void LessonPanel::showList()
{
    notify({});
    m_pages->setCurrentIndex(0);
}

void LessonPanel::takeFocus()
{
    QWidget* const shown = m_canShow ? m_show : m_next;
    (m_pages->currentIndex() == 0 ? m_list : shown)->setFocus();
}

void LessonPanel::showStep(const Lesson& lesson, std::size_t step, const QString& folder)
{
    const auto& shown = lesson.steps[step];
    notify({});
    m_title->setText(toQString(lesson.title));
    m_where->setText(tr("Step %1 of %2").arg(step + 1).arg(lesson.steps.size()));
    m_text->setSearchPaths({folder});
    m_text->showMarkdown(QStringLiteral("### ") + toQString(shown.title) + QStringLiteral("\n\n")
                         + toQString(shown.text));
    m_text->setAccessibleName(toQString(shown.title));
    m_question->ask(shown.question ? &*shown.question : nullptr);
    m_canShow = !shown.actions.empty();
    m_back->setEnabled(step > 0);
    m_next->setText(step + 1 < lesson.steps.size() ? tr("Next") : tr("Finish"));
    m_next->setToolTip(step + 1 < lesson.steps.size() ? tr("Go to the next step") : tr("End the lesson"));
    setPlaying(false);
    m_scroll->verticalScrollBar()->setValue(0);
    m_pages->setCurrentIndex(1);
}

void LessonPanel::setPlaying(bool playing)
{
    m_show->setText(playing ? tr("Stop") : tr("Show me"));
    m_show->setEnabled(playing || m_canShow);
}

void LessonPanel::notify(const QString& sentence) { m_mistake->setMistake(sentence); }

QString LessonPanel::notice() const { return m_mistake->text(); }
