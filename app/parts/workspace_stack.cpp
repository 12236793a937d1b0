// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/workspace_stack.h"

#include "parts/form_controls.h"
#include "parts/keyboard.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

WorkspaceStack::WorkspaceStack(QWidget* stage, QWidget* parent)
    : QWidget(parent), m_stage(stage), m_head(new QWidget(this)), m_title(new QLabel(m_head)),
      m_column(new QVBoxLayout(this))
{
    setObjectName(QStringLiteral("workspaces"));
    auto* back = new QToolButton(m_head);
    describeControl(back, QStringLiteral("leavePage"), tr("Back to the Study"),
                    tr("Return to the Study; work on this page continues (Escape)"));
    back->setText(tr("‹ Back"));
    back->setAutoRaise(true);
    connect(back, &QToolButton::clicked, this, &WorkspaceStack::showStage);
    m_title->setObjectName(QStringLiteral("pageTitle"));
    m_title->setTextFormat(Qt::RichText);
    auto* row = new QHBoxLayout(m_head);
    row->setContentsMargins(2, 8, 8, 0);   // the word is in line with the page below
    row->setSpacing(8);
    row->addWidget(back);
    row->addWidget(m_title, 1);
    m_head->hide();
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    m_column->addWidget(m_head);
    m_column->addWidget(stage, 1);
}

void WorkspaceStack::show(QWidget* page)
{
    if (page == m_page)
        return;
    if (!m_page)
        m_focusBefore = window()->focusWidget();
    if (m_column->indexOf(page) < 0) {
        m_column->addWidget(page, 1);
        page->installEventFilter(this);
    }
    bring(page);
    auto* focused = page->focusWidget();
    if (!focused) {
        const auto stops = stopsAsLaidOut({page});
        const auto first = std::find_if(stops.begin(), stops.end(),
                                        [](const QWidget* one) { return one->isVisible() && one->isEnabled(); });
        focused          = first == stops.end() ? page : *first;
    }
    focused->setFocus(Qt::OtherFocusReason);
}

void WorkspaceStack::showStage()
{
    if (!m_page)
        return;
    bring(nullptr);
    if (m_focusBefore && m_focusBefore->isVisible())
        m_focusBefore->setFocus(Qt::OtherFocusReason);
}

/// Hidden widgets take part in no layout, so that a wide page does not widen the stage.
void WorkspaceStack::bring(QWidget* page)
{
    setUpdatesEnabled(false);
    (m_page ? m_page.data() : m_stage)->hide();
    m_page = page;
    if (page)
        m_title->setText(QStringLiteral("<b>%1</b>").arg(page->windowTitle().toHtmlEscaped()));
    m_head->setVisible(page != nullptr);
    (page ? page : m_stage)->show();
    setUpdatesEnabled(true);
    Q_EMIT shown(page);
}

void WorkspaceStack::reveal(QWidget& control)
{
    for (QWidget* around = &control; around; around = around->parentWidget()) {
        if (around == m_stage)
            return showStage();
        if (around->parentWidget() == this && m_column->indexOf(around) > m_column->indexOf(m_stage))
            return show(around);
    }
}

bool WorkspaceStack::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::Close)
        return QWidget::eventFilter(watched, event);
    event->ignore();   // the page is kept for the next time
    if (watched == m_page)
        showStage();
    return true;
}

/// Receives the keys that the page has not used.
void WorkspaceStack::keyPressEvent(QKeyEvent* event)
{
    if (m_page && event->key() == Qt::Key_Escape)
        return showStage();
    QWidget::keyPressEvent(event);
}
