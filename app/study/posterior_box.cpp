// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/field_editor.h"

#include "parts/appearance.h"
#include "parts/form_controls.h"
#include "study/method.h"
#include "widgets/chart_palette.h"
#include "work/text.h"

#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QScreen>
#include <QStandardItemModel>
#include <QStyledItemDelegate>

#include <algorithm>

using namespace credence;

namespace {

constexpr int cardsWidth = 400, cardsMargin = 8;

enum CardRole { card_id = Qt::UserRole, card_hint, card_terms, card_in_use };

/// Paints a caption, or a card: name, sentence, cost and paper in a column.
class CardDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const int width = static_cast<const QListView*>(option.widget)->viewport()->width();
        if (isCaption(index))
            return {width, option.fontMetrics.height() + cardsMargin};
        const QRect inside(0, 0, width - 4 * cardsMargin, 10000);
        const QFontMetrics small(scaledFont(option.font, 0.85));
        const int lines = option.fontMetrics.lineSpacing()
                          + option.fontMetrics.boundingRect(inside, Qt::TextWordWrap, words(index, card_hint)).height()
                          + small.boundingRect(inside, Qt::TextWordWrap, words(index, card_terms)).height();
        return {width, lines + 3 * cardsMargin};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const auto& colours = option.palette;
        const QColor ground = colours.color(QPalette::Base), ink = colours.color(QPalette::Text);
        const QColor accent = colours.color(QPalette::Highlight), pale = colours.color(QPalette::PlaceholderText);
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        QFont bold          = option.font;
        bold.setBold(true);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setFont(bold);
        if (isCaption(index)) {
            painter->setPen(pale);
            painter->drawText(option.rect.adjusted(cardsMargin, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                              index.data().toString());
            return painter->restore();
        }
        const QRect card   = option.rect.adjusted(cardsMargin / 2, cardsMargin / 4, -cardsMargin / 2, -cardsMargin / 4);
        const QColor below = selected ? laidOver(accent, ground, 0.15) : ground;
        painter->setPen(selected ? QPen(accent, 1.5) : QPen(laidOver(ink, ground, 0.18)));
        painter->setBrush(below);
        painter->drawRoundedRect(QRectF(card).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
        QRect free = card.adjusted(cardsMargin, cardsMargin, -cardsMargin, 0);
        painter->setPen(ink);
        painter->drawText(free, Qt::AlignTop | Qt::AlignLeft, index.data().toString());
        if (index.data(card_in_use).toBool())
            painter->drawText(free, Qt::AlignTop | Qt::AlignRight, QStringLiteral("✓"));
        free.setTop(free.top() + option.fontMetrics.lineSpacing());
        painter->setFont(option.font);
        QRect used;
        painter->drawText(free, Qt::AlignTop | Qt::AlignLeft | Qt::TextWordWrap, words(index, card_hint), &used);
        free.setTop(used.bottom() + 1);
        painter->setFont(scaledFont(option.font, 0.85));
        painter->setPen(legible(laidOver(ink, ground, 0.7), below));
        painter->drawText(free, Qt::AlignTop | Qt::AlignLeft | Qt::TextWordWrap, words(index, card_terms));
        painter->restore();
    }

private:
    static bool isCaption(const QModelIndex& index) { return words(index, card_id).isEmpty(); }
    static QString words(const QModelIndex& index, CardRole role) { return index.data(role).toString(); }
};

QStandardItem* cardOf(const Method& method, bool inUse)
{
    const QString title = toQString(method.title), hint = toQString(method.hint);
    const QString terms = PosteriorCards::tr("Cost: %1 · %2").arg(toQString(method.cost), toQString(method.source));
    auto* card          = new QStandardItem(title);
    card->setData(toQString(method.id), card_id);
    card->setData(hint, card_hint);
    card->setData(terms, card_terms);
    card->setData(inUse, card_in_use);
    card->setData(title + (inUse ? PosteriorCards::tr(" (in use)") : QString()) + QStringLiteral(". ") + hint
                      + QLatin1Char(' ') + terms,
                  Qt::AccessibleTextRole);
    return card;
}

}   // namespace

PosteriorCards::PosteriorCards(const QString& chosen, QWidget* parent)
    : SearchPopup(cardsMargin, parent), m_chosen(chosen), m_model(new QStandardItemModel(this))
{
    setObjectName(QStringLiteral("posteriorPopup"));
    setAccessibleName(tr("Choose a posterior"));
    describeControl(m_typed, QStringLiteral("posteriorSearch"), tr("Search among the posteriors"),
                    tr("Search names, sentences, costs and papers. Use Up and Down to move in the list and Enter to "
                       "choose"));
    m_typed->setPlaceholderText(tr("Search: dropout, chains, Laplace, Hobbhahn …"));
    m_count->setObjectName(QStringLiteral("posteriorCount"));
    m_list->setObjectName(QStringLiteral("posteriorCards"));
    m_list->setAccessibleName(tr("Posteriors, in groups"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new CardDelegate(m_list));
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setResizeMode(QListView::Adjust);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& now) {
        m_typed->setAccessibleDescription(now.data(Qt::AccessibleTextRole).toString());
    });
}

void PosteriorCards::filter(const QString& typed)
{
    m_model->clear();
    QModelIndex current;
    int found = 0;
    for (const auto group : method_groups) {
        QStandardItem* caption = nullptr;
        for (const Method& method : methods()) {
            const std::string text = method.title + '\n' + method.hint + '\n' + method.cost + '\n' + method.source
                                     + '\n' + method.id + '\n' + title_of(group);
            if (method.group != group || !hasAllWords(toQString(text), typed))
                continue;
            if (!caption) {
                caption = new QStandardItem(toQString(std::string(title_of(group))));
                caption->setFlags(Qt::NoItemFlags);
                m_model->appendRow(caption);
            }
            auto* card = cardOf(method, toQString(method.id) == m_chosen);
            m_model->appendRow(card);
            if (++found == 1 || (typed.isEmpty() && toQString(method.id) == m_chosen))
                current = card->index();
        }
    }
    m_count->setText(found == 0 ? tr("No matches") : found == 1 ? tr("1 posterior") : tr("%1 posteriors").arg(found));
    m_list->setCurrentIndex(current);
    m_list->scrollTo(current, QAbstractItemView::PositionAtCenter);
}

void PosteriorCards::showBelow(const QWidget& box)
{
    const QRect screen = box.screen()->availableGeometry();
    QRect place(box.mapToGlobal(QPoint(0, box.height())), QSize(withText(cardsWidth), screen.height() * 6 / 10));
    place.setWidth(std::min(place.width(), screen.width()));
    place.moveRight(std::min(place.right(), screen.right()));
    place.moveBottom(std::min(place.bottom(), screen.bottom()));
    place.moveTopLeft(QPoint(std::max(place.left(), screen.left()), std::max(place.top(), screen.top())));
    setGeometry(place);
    show();
    filter({});   // now the width of the cards is known
    m_typed->setFocus();
}

bool PosteriorCards::isCaption(int row) const { return !m_model->item(row)->isSelectable(); }

void PosteriorCards::choose()
{
    const QString id = m_list->currentIndex().data(card_id).toString();
    if (id.isEmpty())
        return;
    close();
    Q_EMIT chosen(id);
}

void PosteriorBox::showPopup()
{
    if (m_cards)
        return;
    m_cards = new PosteriorCards(currentData().toString(), this);
    connect(m_cards, &PosteriorCards::chosen, this, [this](const QString& id) {
        setCurrentIndex(findData(id));
        Q_EMIT activated(currentIndex());
    });
    m_cards->showBelow(*this);
}

void PosteriorBox::hidePopup()
{
    if (m_cards)
        m_cards->close();
    QComboBox::hidePopup();
}
