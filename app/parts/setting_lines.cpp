// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/setting_lines.h"

#include "parts/appearance.h"
#include "parts/form_controls.h"
#include "widgets/chart_palette.h"
#include "widgets/symbols.h"

#include <QEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

using namespace credence;

namespace {

constexpr int cardMargin = 8, cardRadius = 8, linePicture = 28, leastPanelWidth = 234, fieldWidth = 126;

}   // namespace

SettingLine::SettingLine(const QString& name, const QString& title, QWidget* parent) : QToolButton(parent)
{
    setObjectName("section/" + name);
    setText(title);
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setCursor(Qt::PointingHandCursor);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    warn({});
}

void SettingLine::describe(const QString& sentence, Picture picture)
{
    m_sentence = sentence;
    m_picture  = std::move(picture);
    setAccessibleName(tr("%1: %2").arg(text(), m_sentence));
    updateGeometry();
    update();
}

void SettingLine::describe(const QString& sentence, Symbol symbol)
{
    describe(sentence, [symbol](QPainter& painter, const QRectF& box, const ChartPalette& colours) {
        paintSymbol(painter, box, symbol, colours);
    });
}

void SettingLine::warn(const QString& words)
{
    m_warning = words;
    setAccessibleDescription(words);
    setToolTip(words.isEmpty() ? tr("Show or hide the settings of this part") : words);
    update();
}

QRect SettingLine::pictureBox() const
{
    const int side = withText(linePicture);
    return {cardMargin, cardMargin, side, side};
}

QRect SettingLine::words() const
{
    return rect().adjusted(pictureBox().right() + 1 + cardMargin, cardMargin, -cardMargin, -cardMargin);
}

int SettingLine::heightForWidth(int width) const
{
    const int left     = pictureBox().right() + 1 + cardMargin;
    const QRect wanted = fontMetrics().boundingRect(QRect(0, 0, std::max(1, width - left - cardMargin), 10000),
                                                    Qt::TextWordWrap, m_sentence);
    return 2 * cardMargin + std::max(pictureBox().height(), fontMetrics().lineSpacing() + wanted.height());
}

QSize SettingLine::sizeHint() const
{
    const int width = pictureBox().right() + fontMetrics().averageCharWidth() * 20;
    return {width, heightForWidth(std::max(width, this->width()))};
}

void SettingLine::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor ground = palette().color(QPalette::Window), ink = palette().color(QPalette::WindowText);
    const auto hairline = laidOver(ink, ground, 0.18);
    if (hasFocus() || (underMouse() && !isChecked())) {
        painter.setPen(hasFocus() ? QPen(palette().color(QPalette::Highlight), 2) : QPen(Qt::NoPen));
        painter.setBrush(underMouse() && !isChecked() ? QBrush(laidOver(ink, ground, 0.05)) : QBrush());
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), cardRadius, cardRadius);
    }
    auto colours       = ChartPalette::forScreen(palette());
    colours.background = laidOver(ink, ground, 0.02);
    painter.setPen(hairline);
    painter.setBrush(colours.background);
    painter.drawRoundedRect(QRectF(pictureBox()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    if (m_picture)
        m_picture(painter, QRectF(pictureBox()).adjusted(1, 1, -1, -1), colours);
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(ink);
    painter.drawText(words(), Qt::AlignTop | Qt::AlignLeft, text());
    if (!m_warning.isEmpty()) {
        painter.setPen(MistakeLabel::red(palette()));
        painter.drawText(words(), Qt::AlignTop | Qt::AlignRight, QStringLiteral("!"));
    }
    painter.setFont(font());
    painter.setPen(legible(laidOver(ink, ground, 0.7), laidOver(ink, ground, 0.05)));
    painter.drawText(words().adjusted(0, fontMetrics().lineSpacing(), 0, 0),
                     Qt::AlignTop | Qt::AlignLeft | Qt::TextWordWrap, m_sentence);
}

void SettingLine::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        return click();
    QToolButton::keyPressEvent(event);
}

SettingCard::SettingCard(const QString& name, const QString& title, QWidget* parent)
    : QFrame(parent), m_line(new SettingLine(name, title, this)), m_body(new QWidget(this)),
      m_rows(new QVBoxLayout(m_body))
{
    setBackgroundRole(QPalette::AlternateBase);
    m_rows->setContentsMargins(8, 0, 8, 8);
    m_rows->setSpacing(2);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_line);
    column->addWidget(m_body);
    connect(m_line, &SettingLine::clicked, this, &SettingCard::openRequested);
    m_body->hide();
}

void SettingCard::setState(State state)
{
    m_state = state;
    m_line->setVisible(state != State::body_only);
    m_line->setChecked(state == State::open);
    m_body->setVisible(isOpen());
    setAutoFillBackground(state == State::open);
}

QWidget* SettingCard::addField(const QString& label, QWidget* control)
{
    auto* row    = labelled(label, control, m_body);
    auto* layout = static_cast<QHBoxLayout*>(row->layout());
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setStretch(0, 1);
    control->setMinimumWidth(withText(fieldWidth));
    m_rows->addWidget(row);
    return row;
}

LineScroll::LineScroll(QWidget* parent, double mostOfWindow) : QScrollArea(parent), m_mostOfWindow(mostOfWindow)
{
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
}

QSize LineScroll::minimumSizeHint() const
{
    const int lines = widget() ? widget()->minimumSizeHint().expandedTo(widget()->minimumSize()).width() : 0;
    const int bar   = style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, this);
    const int most  = static_cast<int>(m_mostOfWindow * window()->width());
    return {std::max(leastPanelWidth, std::min(lines + bar, most)), QScrollArea::minimumSizeHint().height()};
}

QSize LineScroll::sizeHint() const
{
    const QSize lines = widget() ? widget()->sizeHint() : QSize(0, 0);
    return minimumSizeHint().expandedTo({0, lines.height() + 2 * frameWidth()});
}

bool LineScroll::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == widget() && event->type() == QEvent::LayoutRequest)
        updateGeometry();   // another card is open
    return QScrollArea::eventFilter(watched, event);
}

SettingLines::SettingLines(QWidget* parent) : LineScroll(parent)
{
    auto* inside = new QWidget(this);
    m_column     = new QVBoxLayout(inside);
    m_column->setContentsMargins(0, 0, 8, 0);
    m_column->setSpacing(2);
    m_column->addStretch(1);
    setFocusPolicy(Qt::NoFocus);   // the lines have it
    setWidget(inside);
}

SettingCard& SettingLines::add(const QString& name, const QString& title)
{
    auto* card = new SettingCard(name, title, widget());
    m_column->insertWidget(m_column->count() - 1, card);
    connect(card, &SettingCard::openRequested, this, [this, card](bool on) { open(on ? card : nullptr); });
    if (m_cards.empty())
        card->setState(SettingCard::State::open);
    m_cards.push_back(card);
    return *card;
}

void SettingLines::addBelow(QWidget* widget) { m_column->insertWidget(m_column->count() - 1, widget); }

void SettingLines::open(const SettingCard* card)
{
    for (auto* each : m_cards)
        each->setState(each == card ? SettingCard::State::open : SettingCard::State::closed);
}

void SettingLines::setEditable(bool editable)
{
    for (auto* card : m_cards)
        card->body()->setEnabled(editable);
}
