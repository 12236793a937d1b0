// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lesson_panel.h"

#include "foundation/number_text.h"
#include "lessons/lesson_question_box.h"
#include "parts/flow_layout.h"
#include "parts/form_controls.h"
#include "work/text.h"

#include <QAbstractTextDocumentLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>

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

using namespace credence;

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
    m_list->setWordWrap(true);
    m_list->setResizeMode(QListView::Adjust);
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
        auto* item = new QListWidgetItem(
            tr("%1 · %2 min\n%3").arg(one.title, toQString(plain_text(one.minutes)), one.about), m_list);
        item->setData(Qt::UserRole, one.id);
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
