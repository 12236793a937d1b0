// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/message_bar.h"

#include "widgets/announcer.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include <utility>

MessageBar::MessageBar(QWidget* parent) : QFrame(parent), m_text(new QLabel(this)), m_offers(new QHBoxLayout)
{
    setObjectName(QStringLiteral("messageBar"));
    setFrameStyle(QFrame::StyledPanel | QFrame::Plain);
    setBackgroundRole(QPalette::ToolTipBase);
    setAutoFillBackground(true);
    m_text->setObjectName(QStringLiteral("messageText"));
    m_text->setForegroundRole(QPalette::ToolTipText);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* close = new QToolButton(this);
    m_close     = close;
    close->setText(QStringLiteral("×"));
    close->setAutoRaise(true);
    close->setAccessibleName(tr("Close this message"));
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 4, 4, 4);
    row->addWidget(m_text, 1);
    row->addLayout(m_offers);
    row->addWidget(close, 0, Qt::AlignTop);
    hide();
}

void MessageBar::happened(Until what)
{
    if (what == Until::other_data || what == m_until)
        hide();
}

void MessageBar::say(const QString& sentence, const std::vector<Offer>& offers, Until until)
{
    m_until = until;
    while (auto* item = m_offers->takeAt(0)) {
        item->widget()->setObjectName({});   // no longer the offer of this number
        item->widget()->deleteLater();
        delete item;
    }
    m_text->setText(sentence);
    QWidget* before = m_close;   // of the Tab key
    for (const auto& offer : offers) {
        auto* button = new QPushButton(offer.text, this);
        button->setObjectName(QStringLiteral("offer%1").arg(m_offers->count()));
        connect(button, &QPushButton::clicked, this, [this, accept = offer.accept] {
            hide();
            if (accept)
                accept();
        });
        m_offers->addWidget(button);
        setTabOrder(std::exchange(before, button), button);
    }
    show();
    credence::announce(this, sentence, credence::Announcer::Urgency::alert);
}

QString MessageBar::text() const { return isHidden() ? QString() : m_text->text(); }
