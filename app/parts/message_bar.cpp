// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/message_bar.h"

#include "widgets/announcer.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace {

constexpr std::size_t longestLine = 20;   ///< messages; older ones are forgotten

}   // namespace

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent), m_text(new QLabel(this)), m_more(new QLabel(this)), m_offers(new QHBoxLayout)
{
    setObjectName(QStringLiteral("messageBar"));
    setFrameStyle(QFrame::StyledPanel | QFrame::Plain);
    setBackgroundRole(QPalette::ToolTipBase);
    setAutoFillBackground(true);
    m_text->setObjectName(QStringLiteral("messageText"));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_more->setObjectName(QStringLiteral("messagesWaiting"));
    m_more->setToolTip(tr("Close this message to read the next one"));
    for (auto* label : {m_text, m_more})
        label->setForegroundRole(QPalette::ToolTipText);
    auto* close = new QToolButton(this);
    m_close     = close;
    close->setObjectName(QStringLiteral("closeMessage"));
    close->setText(QStringLiteral("×"));
    close->setAutoRaise(true);
    close->setAccessibleName(tr("Close this message"));
    connect(close, &QToolButton::clicked, this, [this] {
        m_notifier.erase(m_notifier.begin());
        showFirst();
    });
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 4, 4, 4);
    row->addWidget(m_text, 1);
    row->addLayout(m_offers);
    row->addWidget(m_more);
    row->addWidget(close, 0, Qt::AlignTop);
    hide();
}

void MessageBar::notify(const QString& sentence, const Offers& offers, Until until)
{
    std::erase_if(m_notifier, [](const Message& one) { return one.kind == Kind::news; });
    add({sentence, offers, until, Kind::news});
}

void MessageBar::warn(const QString& sentence, const Offers& offers, Until until)
{
    add({sentence, offers, until, Kind::mistake});
}

void MessageBar::ask(const QString& question, const Offers& answers)
{
    add({question, answers, Until::other_data, Kind::question});
}

void MessageBar::happened(Until what)
{
    removeIf([what](const Message& one) {
        return one.kind != Kind::question && (what == Until::other_data || what == one.until);
    });
}

void MessageBar::takeBack(const QString& sentence)
{
    removeIf([&sentence](const Message& one) { return one.sentence == sentence; });
}

void MessageBar::clear()
{
    removeIf([](const Message& one) { return one.kind != Kind::question; });
}

void MessageBar::add(Message message)
{
    std::erase_if(m_notifier, [&](const Message& one) { return one.sentence == message.sentence; });
    const auto at          = std::find_if(m_notifier.begin(), m_notifier.end(),
                                          [&](const Message& one) { return one.kind <= message.kind; });
    const QString sentence = message.sentence;
    m_notifier.insert(at, std::move(message));
    if (m_notifier.size() > longestLine)
        m_notifier.pop_back();
    showFirst();
    credence::announce(this, sentence, credence::Announcer::Urgency::alert);
}

void MessageBar::removeIf(const std::function<bool(const Message&)>& gone)
{
    if (std::erase_if(m_notifier, gone) > 0)
        showFirst();
}

void MessageBar::showFirst()
{
    while (auto* item = m_offers->takeAt(0)) {
        item->widget()->setObjectName({});   // no longer the offer of this number
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    setVisible(!m_notifier.empty());
    if (m_notifier.empty())
        return;
    const Message& first = m_notifier.front();
    m_text->setText(first.sentence);
    m_more->setText(tr("%1 more").arg(m_notifier.size() - 1));
    m_more->setVisible(m_notifier.size() > 1);
    QWidget* before = m_close;   // of the Tab key
    for (const auto& offer : first.offers) {
        auto* button = new QPushButton(offer.text, this);
        button->setObjectName(QStringLiteral("offer%1").arg(m_offers->count()));
        connect(button, &QPushButton::clicked, this, [this, sentence = first.sentence, accept = offer.accept] {
            takeBack(sentence);
            if (accept)
                accept();
        });
        m_offers->addWidget(button);
        button->show();   // now: a layout does it later
        setTabOrder(std::exchange(before, button), button);
    }
}

QString MessageBar::text() const { return m_notifier.empty() ? QString() : m_notifier.front().sentence; }
