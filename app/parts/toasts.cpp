// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/toasts.h"

#include "parts/appearance.h"
#include "parts/form_controls.h"
#include "parts/icons.h"

#include "widgets/accessibility.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QShortcut>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace {

constexpr std::size_t mostMessages = 20;     ///< older ones are forgotten
constexpr std::size_t mostToasts   = 3;      ///< shown at once
constexpr int toastGap             = 8;      ///< pixels between cards, and to the edges of the stage
constexpr int toastWidth           = 400;    ///< pixels at the usual size of text
constexpr int newsExtension        = 3000;   ///< milliseconds, if the news is in use or has not been shown yet

/// The icon of a kind at the size of its text, in the current colours.
class KindMark : public QWidget {
public:
    KindMark(const QString& name, QWidget* parent) : QWidget(parent), m_icon(icon(name)) {}
    QSize sizeHint() const override { return QSize(1, 1) * fontMetrics().height(); }
    QSize minimumSizeHint() const override { return sizeHint(); }

private:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        m_icon.paint(&painter, rect());
    }
    const QIcon m_icon;
};

}   // namespace

/// One message.
class Toast : public QFrame {
public:
    Toast(const QString& iconName, const QString& kind, const QString& sentence, QWidget* parent)
        : QFrame(parent), m_offers(new FlowLayout), m_text(new QLabel(sentence, this)), m_close(new QToolButton(this))
    {
        setBackgroundRole(QPalette::Base);
        setAccessibleName(Toasts::tr("%1: %2").arg(kind, sentence));
        auto* word = new QLabel(kind, this);
        QFont bold = word->font();
        bold.setBold(true);
        word->setFont(bold);
        m_text->setWordWrap(true);
        m_text->setTextFormat(Qt::PlainText);
        m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
        for (auto* label : {word, m_text})
            label->setForegroundRole(QPalette::Text);
        m_close->setIcon(icon(QStringLiteral("cancel")));
        m_close->setAutoRaise(true);
        m_close->setAccessibleName(Toasts::tr("Close this message"));
        m_close->setToolTip(Toasts::tr("Close this message (Escape)"));
        auto* head = new QHBoxLayout;
        head->setSpacing(toastGap);
        head->addWidget(new KindMark(iconName, this));
        head->addWidget(word, 1);
        head->addWidget(m_close);
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(toastGap, toastGap / 2, toastGap / 2, toastGap);
        column->setSpacing(toastGap / 2);
        column->addLayout(head);
        column->addWidget(m_text);
        column->addLayout(m_offers);
        hide();
    }

    QToolButton* close() const { return m_close; }
    const std::vector<QPushButton*>& buttons() const { return m_buttons; }
    QPushButton* addOffer(const QString& text)
    {
        auto* button = m_buttons.emplace_back(new QPushButton(text, this));
        m_offers->addWidget(button);
        setTabOrder(m_buttons.size() > 1 ? m_buttons[m_buttons.size() - 2] : button, button);
        setTabOrder(button, m_close);
        return button;
    }

    /// Names the controls of the first message, so that tests and lessons can find them.
    void setNames(const QString& prefix)
    {
        m_text->setObjectName(prefix + QStringLiteral("messageText"));
        m_close->setObjectName(prefix + QStringLiteral("closeMessage"));
        for (std::size_t i = 0; i < m_buttons.size(); ++i)
            m_buttons[i]->setObjectName(prefix + QStringLiteral("offer%1").arg(i));
    }

    bool isInUse() const
    {
        return underMouse() || (QApplication::focusWidget() && isAncestorOf(QApplication::focusWidget()));
    }
    void takeFocus() const
    {
        (m_buttons.empty() ? static_cast<QWidget*>(m_close) : m_buttons.front())->setFocus(Qt::ShortcutFocusReason);
    }

private:
    void paintEvent(QPaintEvent*) override { paintCard(*this); }

    FlowLayout* m_offers;
    QLabel* m_text;
    QToolButton* m_close;
    std::vector<QPushButton*> m_buttons;
};

Toasts::Toasts(QWidget* parent) : QWidget(parent), m_stage(parent), m_more(new QLabel(this))
{
    setObjectName(QStringLiteral("toasts"));
    setAccessibleName(tr("Messages"));
    m_more->setObjectName(QStringLiteral("messagesWaiting"));
    m_more->setToolTip(tr("Close a message to read the next one"));
    m_more->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_more->setAutoFillBackground(true);
    m_more->setMargin(toastGap / 2);
    m_more->hide();
    m_leave.setSingleShot(true);
    connect(&m_leave, &QTimer::timeout, this, &Toasts::removeOldNews);
    auto* focus = new QShortcut(QKeySequence(Qt::Key_F6), this);
    connect(focus, &QShortcut::activated, this, &Toasts::takeFocus);
    connect(focus, &QShortcut::activatedAmbiguously, this, &Toasts::takeFocus);   // several in one window: in turn
    if (parent)
        parent->installEventFilter(this);
    hide();
}

void Toasts::setStage(QWidget* stage)
{
    m_stage = stage;
    for (auto* part = stage; part && part != parentWidget(); part = part->parentWidget())   // any of them can move it
        part->installEventFilter(this);
    if (stage)
        for (auto* other : stage->findChildren<Toasts*>())
            if (other != this)
                keepClear(other);
    layOut();
}

void Toasts::keepClear(QWidget* part)
{
    std::erase(m_clear, nullptr);
    if (std::find(m_clear.begin(), m_clear.end(), part) != m_clear.end())
        return;
    m_clear.emplace_back(part);
    part->installEventFilter(this);
}

/// Returns the bottom of the area for cards of this width at the right.
int Toasts::bottomOf(const QRect& room, int width) const
{
    int bottom = room.bottom();
    for (const auto& part : m_clear) {
        if (!part || !part->isVisible() || !parentWidget()->isAncestorOf(part))
            continue;
        const QRect place(part->mapTo(parentWidget(), QPoint()), part->size());
        const bool below = qobject_cast<const Toasts*>(part.data()) || place.top() > room.center().y();
        if (below && room.intersects(place) && place.right() + toastGap > room.right() - width)
            bottom = std::min(bottom, place.top() - toastGap - 1);
    }
    return bottom;
}

void Toasts::notify(const QString& sentence, const Offers& offers, Until until)
{
    removeIf([](const Message& one) { return one.kind == Kind::news; });
    add({sentence, offers, until, Kind::news});
    m_leave.start(offers.empty() ? m_newsDuration : 2 * m_newsDuration);
}

void Toasts::warn(const QString& sentence, const Offers& offers, Until until)
{
    add({sentence, offers, until, Kind::mistake});
}

void Toasts::ask(const QString& question, const Offers& answers)
{
    add({question, answers, Until::other_data, Kind::question});
}

void Toasts::happened(Until what)
{
    removeIf([what](const Message& one) {
        return one.kind != Kind::question && (what == Until::other_data || what == one.until);
    });
}

void Toasts::takeBack(const QString& sentence)
{
    removeIf([&sentence](const Message& one) { return one.sentence == sentence; });
}

void Toasts::clear()
{
    removeIf([](const Message& one) { return one.kind != Kind::question; });
}

void Toasts::removeOldNews()
{
    const auto old = std::find_if(m_messages.begin(), m_messages.end(),
                                  [](const Message& one) { return one.kind == Kind::news; });
    if (old == m_messages.end())
        return;
    if (old->card->isHidden() || old->card->isInUse())   // not read yet
        m_leave.start(newsExtension);
    else
        takeBack(QString(old->sentence));
}

void Toasts::add(Message message)
{
    takeBack(message.sentence);
    const QString sentence = message.sentence;
    message.number         = ++m_count;
    message.card           = makeCard(message);
    m_messages.insert(std::find_if(m_messages.begin(), m_messages.end(),
                                   [&](const Message& one) { return one.kind <= message.kind; }),
                      std::move(message));
    if (m_messages.size() > mostMessages)
        removeIf([last = m_messages.back().number](const Message& one) { return one.number == last; });
    refresh();
    credence::announce(this, sentence, credence::Announcer::Urgency::alert);
}

Toast* Toasts::makeCard(const Message& message)
{
    const auto [iconName, kind] = message.kind == Kind::question ? std::pair{QStringLiteral("question"), tr("Question")}
                                  : message.kind == Kind::mistake ? std::pair{QStringLiteral("warning"), tr("Warning")}
                                                                  : std::pair{QStringLiteral("info"), tr("Note")};
    auto* card                  = new Toast(iconName, kind, message.sentence, this);
    for (const auto& offer : message.offers)
        connect(card->addOffer(offer.text), &QPushButton::clicked, this,
                [this, sentence = message.sentence, accept = offer.accept] {
            takeBack(sentence);
            if (accept)
                accept();
        });
    connect(card->close(), &QToolButton::clicked, this, [this, sentence = message.sentence] { takeBack(sentence); });
    return card;
}

void Toasts::removeIf(const std::function<bool(const Message&)>& gone)
{
    std::vector<Toast*> cards;
    std::erase_if(m_messages, [&](const Message& one) {
        if (!gone(one))
            return false;
        cards.push_back(one.card);
        return true;
    });
    bool focused = false;
    for (auto* card : cards) {
        focused = focused || (QApplication::focusWidget() && card->isAncestorOf(QApplication::focusWidget()));
        card->setNames(QStringLiteral("closed/"));
        card->hide();
        card->deleteLater();   // deleted later, since the click may come from its own button
    }
    if (cards.empty())
        return;
    refresh();
    if (focused && !m_messages.empty())
        m_messages.front().card->takeFocus();
    else if (focused && m_before)
        m_before->setFocus();
}

void Toasts::refresh()
{
    for (std::size_t i = 0; i < m_messages.size(); ++i)
        m_messages[i].card->setNames(i == 0 ? QString() : QStringLiteral("message%1/").arg(i));
    layOut();
}

void Toasts::showState(QWidget* card, bool shown)
{
    if (std::find(m_states.begin(), m_states.end(), card) == m_states.end())
        m_states.push_back(card);
    card->setVisible(shown);
    layOut();
}

/// Places as many cards as fit, from the lower right corner of the stage upwards.
void Toasts::layOut()
{
    QRect room(0, 0, withText(toastWidth) + 2 * toastGap, QWIDGETSIZE_MAX);
    if (m_stage)
        room = QRect(m_stage == parentWidget() ? QPoint() : m_stage->mapTo(parentWidget(), QPoint()), m_stage->size());
    room.adjust(toastGap, toastGap, -toastGap, -toastGap);
    const int width = std::max(1, std::min(withText(toastWidth), room.width()));
    if (m_stage)
        room.setBottom(bottomOf(room, width));

    std::vector<QWidget*> below;
    for (auto* card : m_states)
        if (!card->isHidden())
            below.push_back(card);
    const auto taken = [width](const QWidget& card) {
        const int height = card.heightForWidth(width);
        return (height >= 0 ? height : card.sizeHint().height()) + toastGap;
    };
    int height = 0;
    for (const auto* card : below)
        height += taken(*card);
    std::size_t shown = 0;
    for (; shown < std::min(mostToasts, m_messages.size()); ++shown) {
        const int more = taken(*m_messages[shown].card);
        if (shown > 0 && height + more + taken(*m_more) > room.height())   // with a line for the others
            break;
        height += more;
    }
    for (std::size_t i = 0; i < m_messages.size(); ++i)
        m_messages[i].card->setVisible(i < shown);
    m_more->setText(tr("%1 more").arg(m_messages.size() - shown));
    m_more->setVisible(m_messages.size() > shown);
    setVisible(shown > 0 || !below.empty());
    if (isHidden())
        return;

    std::vector<const Message*> byAge;
    for (std::size_t i = 0; i < shown; ++i)
        byAge.push_back(&m_messages[i]);
    std::sort(byAge.begin(), byAge.end(), [](const auto* a, const auto* b) { return a->number < b->number; });
    std::vector<QWidget*> cards;
    if (!m_more->isHidden()) {
        height += taken(*m_more);
        cards.push_back(m_more);
    }
    for (const auto* message : byAge)
        cards.push_back(message->card);
    cards.insert(cards.end(), below.begin(), below.end());
    height -= toastGap;   // none after the last card
    if (m_stage)
        setGeometry(room.right() + 1 - width, std::max(room.top(), room.bottom() + 1 - height), width, height);
    else
        resize(width, height);
    int top = 0;
    for (auto* card : cards) {
        const int own = taken(*card) - toastGap;
        card->setGeometry(0, top, width, own);
        top += own + toastGap;
    }
    raise();
}

void Toasts::takeFocus()
{
    if (m_messages.empty())
        return;
    if (auto* focused = QApplication::focusWidget(); focused && !isAncestorOf(focused))
        m_before = focused;
    m_messages.front().card->takeFocus();
}

bool Toasts::event(QEvent* event)
{
    if (event->type() == QEvent::LayoutRequest)   // larger text, or a button that was added
        layOut();
    return QWidget::event(event);
}

bool Toasts::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize || event->type() == QEvent::Move || event->type() == QEvent::Show
        || event->type() == QEvent::Hide)
        layOut();
    return QWidget::eventFilter(watched, event);
}

void Toasts::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape)
        return QWidget::keyPressEvent(event);
    for (const auto& message : m_messages)
        if (auto* focused = QApplication::focusWidget(); focused && message.card->isAncestorOf(focused))
            return message.card->close()->click();
}

QString Toasts::text() const { return m_messages.empty() ? QString() : m_messages.front().sentence; }
