// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/form_controls.h"

#include "widgets/accessibility.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QObject>
#include <QPushButton>
#include <QSpinBox>
#include <QStatusBar>
#include <QStylePainter>

#include <algorithm>

MistakeLabel::MistakeLabel(const QString& name, QWidget* parent) : QLabel(parent)
{
    setObjectName(name);
    setWordWrap(true);
    setTextFormat(Qt::PlainText);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    paintRed();
    hide();
}

void MistakeLabel::setMistake(const QString& sentence)
{
    const bool isNew = sentence != text();
    setText(sentence);
    setVisible(!sentence.isEmpty());
    if (isNew && isVisible())
        credence::announce(this, sentence, credence::Announcer::Urgency::alert);
}

QColor MistakeLabel::red(const QPalette& palette)
{
    return QColor::fromHsl(0, 200, palette.color(QPalette::Window).lightness() < 128 ? 170 : 90);
}

void MistakeLabel::changeEvent(QEvent* event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && palette().color(QPalette::WindowText) != red(palette()))
        paintRed();
}

void MistakeLabel::paintRed()
{
    QPalette colours;   // all other roles still follow the application palette
    colours.setColor(QPalette::WindowText, red(palette()));
    setPalette(colours);
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {fontMetrics().horizontalAdvance(QStringLiteral("000…")), QLabel::minimumSizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QStylePainter painter(this);
    const QRect room = contentsRect();
    painter.drawItemText(room, static_cast<int>(alignment()), palette(), isEnabled(),
                         fontMetrics().elidedText(text(), Qt::ElideRight, room.width()), foregroundRole());
}

void describeControl(QWidget* control, const QString& name, const QString& label, const QString& tip)
{
    control->setObjectName(name);
    control->setAccessibleName(label);
    control->setToolTip(tip);
}

void describeBox(QAbstractSpinBox* box, const QString& name, const QString& label, const QString& tip)
{
    describeControl(box, name, label, tip);
    box->setKeyboardTracking(false);
}

QSpinBox* countBox(const QString& name, const QString& label, const QString& tip, int value, int low, int high,
                   QWidget* parent)
{
    auto* box = new QSpinBox(parent);
    describeBox(box, name, label, tip);
    box->setRange(low, high);
    box->setValue(value);
    return box;
}

QPushButton* workButton(const QString& name, const QString& tip, QWidget* parent)
{
    auto* button = new QPushButton(tip, parent);   // the text until there is something to count
    button->setObjectName(name);
    button->setToolTip(tip);
    button->setFlat(true);
    button->setAutoDefault(false);
    button->hide();
    if (auto* line = qobject_cast<QStatusBar*>(parent))
        line->addPermanentWidget(button);
    return button;
}

QWidget* labelled(const QString& label, QWidget* control, QWidget* parent)
{
    auto* pair = new QWidget(parent);
    auto* row  = new QHBoxLayout(pair);
    row->setContentsMargins(0, 0, 8, 0);
    row->setSpacing(3);
    auto* words = new QLabel(label, pair);
    words->setBuddy(control);
    row->addWidget(words);
    row->addWidget(control);
    return pair;
}

QStringList typedWords(const QString& typed)
{
    auto words = typed.toCaseFolded();
    return words.replace(QLatin1Char(','), QLatin1Char(' ')).split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

QString searchedText(const QString& text)
{
    QString searched = text.toCaseFolded();
    for (const auto& [letter, name] : {std::pair{u"τ", " tau"},
                                       {u"ρ", " rho"},
                                       {u"λ", " lambda"},
                                       {u"σ", " sigma"},
                                       {u"μ", " mu"},
                                       {u"η", " eta"},
                                       {u"γ", " gamma"},
                                       {u"β", " beta"}})
        if (text.contains(QStringView(letter)))
            searched += QLatin1String(name);
    return searched;
}

bool hasAllWords(const QString& text, const QString& typed)
{
    const QString searched  = searchedText(text);
    const QStringList words = typedWords(typed);
    return std::all_of(words.begin(), words.end(), [&](const QString& word) { return searched.contains(word); });
}

QSpinBox* longestListBox(const QString& name, int longest, QWidget* parent)
{
    auto* box = new QSpinBox(parent);
    box->setObjectName(name);
    box->setRange(0, 1000);
    box->setPrefix(QStringLiteral("≤ "));
    box->setSpecialValueText(QObject::tr("≤ all"));
    box->setValue(longest);
    box->setAccessibleName(QObject::tr("Maximum list length"));
    box->setToolTip(QObject::tr(
        "Set the maximum number of classes in an uncertainty-aware top-k list, which always has at least one. All: "
        "no limit. 10 in Hobbhahn 2020, appendix D"));
    return box;
}

void labelBoxes(QWidget& window)
{
    for (auto* box : window.findChildren<QComboBox*>()) {
        auto* parent = box->parentWidget();
        if (!parent || box->accessibleName().isEmpty())
            continue;
        const auto labels = parent->findChildren<QLabel*>(QString(), Qt::FindDirectChildrenOnly);
        if (std::any_of(labels.begin(), labels.end(), [box](const QLabel* one) { return one->buddy() == box; }))
            continue;
        auto* label = new QLabel(parent);
        label->setTextFormat(Qt::PlainText);
        label->setText(box->accessibleName());
        label->setBuddy(box);
        label->hide();
    }
}

FlowLayout::~FlowLayout() { qDeleteAll(m_items); }

QSize FlowLayout::minimumSize() const
{
    QSize size;
    for (const auto* item : m_items)
        if (!item->isEmpty())
            size = size.expandedTo(item->minimumSize());
    if (const auto* end = itemAtEnd())
        size.rwidth() += end->sizeHint().width() + spacing();
    return size.grownBy(contentsMargins());
}

QLayoutItem* FlowLayout::itemAtEnd() const
{
    const auto found = std::find_if(m_items.begin(), m_items.end(),
                                    [this](const auto* item) { return m_atEnd && item->widget() == m_atEnd; });
    return found == m_items.end() || (*found)->isEmpty() ? nullptr : *found;
}

void FlowLayout::setGeometry(const QRect& rect)
{
    QLayout::setGeometry(rect);
    place(rect, true);
}

int FlowLayout::place(const QRect& rect, bool move) const
{
    constexpr double step = 0.05;
    double share          = 1;
    if (m_leastShare < 1) {
        const int whole = placeWith(1, rect, false);
        if (placeWith(m_leastShare, rect, false) < whole)
            while (share > m_leastShare && placeWith(share, rect, false) >= whole)
                share = std::max(m_leastShare, share - step);
    }
    return placeWith(share, rect, move);
}

int FlowLayout::placeWith(double share, const QRect& rect, bool move) const
{
    QRect room = rect.marginsRemoved(contentsMargins());
    int x = room.x(), y = room.y(), height = 0;
    QList<std::pair<QLayoutItem*, QRect>> line;
    auto* atEnd = itemAtEnd();
    if (atEnd) {
        const QSize size = atEnd->sizeHint();
        line.push_back({atEnd, QRect(QPoint(room.right() + 1 - size.width(), y), size)});
        height = size.height();
        room.setRight(room.right() - size.width() - spacing());
    }
    const auto endLine = [&] {   // controls of unlike height share a middle
        for (auto& [item, box] : line)
            if (move)
                item->setGeometry(box.translated(0, (height - box.height()) / 2));
        line.clear();
    };
    for (auto* item : m_items) {
        if (item->isEmpty() || item == atEnd)
            continue;
        const int least = item->minimumSize().width();
        QSize size      = item->sizeHint();
        size.setWidth(std::max(least, static_cast<int>(share * size.width())));
        size = size.boundedTo({std::max(room.width(), least), QWIDGETSIZE_MAX});
        if (x > room.x() && x + size.width() > room.x() + room.width()) {
            endLine();
            y += height + spacing();
            x      = room.x();
            height = 0;
        }
        line.push_back({item, QRect(QPoint(x, y), size)});
        x += size.width() + spacing();
        height = std::max(height, size.height());
    }
    endLine();
    return y + height - rect.y() + contentsMargins().bottom();
}
