// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/findings_status.h"

#include "docks/finding_card.h"
#include "docks/findings_panel.h"
#include "parts/icons.h"
#include "parts/view_tabs.h"
#include "session/linting.h"

#include <QPushButton>
#include <QStatusBar>

using namespace credence;

FindingsStatus::FindingsStatus(const Linting& linting, FindingsPanel& panel, QStatusBar* line)
    : QObject(line), m_linting(linting), m_button(new QPushButton(line))
{
    m_button->setObjectName(QStringLiteral("findingsStatus"));
    m_button->setFlat(true);
    m_button->setToolTip(tr("Open the linter's findings for the displayed run"));
    line->addPermanentWidget(m_button);
    connect(m_button, &QPushButton::clicked, &panel, [&panel] {
        bringIntoSight(panel);
        panel.takeFocus();
    });
    connect(&linting, &Linting::changed, this, &FindingsStatus::refresh);
    refresh();
}

void FindingsStatus::refresh()
{
    QString words;
    QIcon shape;
    switch (m_linting.state()) {
    case Linting::State::no_run:
    case Linting::State::training: break;
    case Linting::State::looking: words = tr("Checking the run …"); break;
    case Linting::State::failed:
        words = tr("Not checked");
        shape = iconOf(Severity::doubtful);
        break;
    case Linting::State::looked:
        words = m_linting.counts();
        if (!m_linting.findings().empty())
            shape = iconOf(m_linting.findings().front().severity);   // the worst
        else
            shape = m_linting.notJudged().isEmpty() ? icon(QStringLiteral("fine")) : iconOf(Severity::doubtful);
        break;
    }
    m_button->setVisible(!words.isEmpty());
    m_button->setText(words);
    m_button->setIcon(shape);
    m_button->setAccessibleName(tr("Linter: %1").arg(words));
}
