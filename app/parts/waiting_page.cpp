// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/waiting_page.h"

#include <QLabel>
#include <QProgressBar>
#include <QVBoxLayout>

WaitingPage::WaitingPage(const QString& name, QWidget* parent)
    : QWidget(parent), m_sentence(new QLabel(this)), m_bar(new QProgressBar(this))
{
    m_sentence->setObjectName(name);
    m_sentence->setAlignment(Qt::AlignCenter);
    m_sentence->setWordWrap(true);
    m_bar->setObjectName(name + QStringLiteral("Progress"));
    m_bar->setTextVisible(false);
    m_bar->setFixedWidth(160);
    m_bar->setAccessibleName(tr("Progress"));
    m_bar->hide();
    auto* column = new QVBoxLayout(this);
    column->addStretch();
    column->addWidget(m_sentence);
    column->addWidget(m_bar, 0, Qt::AlignHCenter);
    column->addStretch();
}

void WaitingPage::notify(const QString& sentence)
{
    m_sentence->setText(sentence);
    m_bar->hide();
}

void WaitingPage::wait(const QString& sentence, std::optional<double> share)
{
    m_sentence->setText(sentence);
    m_bar->setAccessibleName(sentence);
    m_bar->setRange(0, share ? 1000 : 0);
    m_bar->setValue(static_cast<int>(1000 * share.value_or(0)));
    m_bar->show();
}

QString WaitingPage::sentence() const { return m_sentence->text(); }
