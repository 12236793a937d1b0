// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/truth_bar.h"

#include "session/truth_comparison.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

#include <algorithm>

TruthBar::TruthBar(TruthComparison& comparison, QWidget* parent)
    : QFrame(parent), m_comparison(comparison), m_words(new QLabel(this)), m_bar(new QProgressBar(this))
{
    setObjectName(QStringLiteral("truthBar"));
    setFrameStyle(QFrame::StyledPanel | QFrame::Plain);
    m_words->setObjectName(QStringLiteral("truthProgress"));
    m_words->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);   // the bar never widens the window
    m_words->setWordWrap(true);
    m_bar->setTextVisible(false);
    m_bar->setFixedSize(100, 12);
    m_bar->setAccessibleName(tr("Finished runs of the comparison"));
    auto* cancel = new QPushButton(tr("Cancel comparison"), this);
    cancel->setObjectName(QStringLiteral("cancelComparison"));
    cancel->setToolTip(tr("Run no more methods. Finished runs stay and are compared"));
    connect(cancel, &QPushButton::clicked, &comparison, &TruthComparison::cancel);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 2, 8, 2);
    row->addWidget(m_words, 1);
    row->addWidget(m_bar);
    row->addWidget(cancel);
    connect(&comparison, &TruthComparison::progressed, this, &TruthBar::refresh);
    refresh();
}

void TruthBar::refresh()
{
    setVisible(m_comparison.active());
    const auto& progress = m_comparison.progress();
    m_bar->setRange(0, std::max(1, progress.count));
    m_bar->setValue(std::max(0, progress.number - 1));
    m_words->setText(progress.number == 0
                         ? tr("Compare with reference, %1: finding methods that can run …").arg(progress.title)
                         : tr("Compare with reference, %1. %2 of %3: %4")
                               .arg(progress.title)
                               .arg(progress.number)
                               .arg(progress.count)
                               .arg(progress.now));
    m_words->setToolTip(m_words->text());
}
