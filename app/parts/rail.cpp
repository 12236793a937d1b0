// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/rail.h"

#include "parts/appearance.h"
#include "parts/form_controls.h"
#include "parts/icons.h"
#include "widgets/chart_palette.h"

#include <QEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

using credence::laidOver;

namespace {

constexpr int wideRail = 64, narrowRail = 44, railIcon = 20;

/// A picture above a word; the current one on a tint of the accent colour, and one with an open panel
/// with a dot.
class RailButton : public QToolButton {
public:
    explicit RailButton(QWidget* parent) : QToolButton(parent)
    {
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }

    QSize sizeHint() const override
    {
        const int side = withFont(narrowRail - 8);
        if (toolButtonStyle() == Qt::ToolButtonIconOnly)
            return {side, side};
        return {withFont(wideRail - 8), withFont(12 + railIcon) + fontMetrics().lineSpacing()};
    }
    QSize minimumSizeHint() const override { return sizeHint(); }
    void setDot(bool dot)
    {
        m_dot = dot;
        update();
    }

private:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QColor ground = palette().color(QPalette::Window), ink = palette().color(QPalette::WindowText);
        const QColor accent = palette().color(QPalette::Highlight);
        const QRectF box    = QRectF(rect()).adjusted(1, 1, -1, -1);
        if (isChecked() || (underMouse() && isEnabled())) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(isChecked() ? laidOver(accent, ground, 0.14) : laidOver(ink, ground, 0.06));
            painter.drawRoundedRect(box, 8, 8);
        }
        if (hasFocus()) {
            painter.setPen(QPen(accent, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(box, 8, 8);
        }
        const bool words = toolButtonStyle() != Qt::ToolButtonIconOnly;
        const int side   = withFont(railIcon);
        const int height = side + (words ? fontMetrics().lineSpacing() : 0);
        const QRect place((width() - side) / 2, (this->height() - height) / 2, side, side);
        icon().paint(&painter, place, Qt::AlignCenter, isEnabled() ? QIcon::Normal : QIcon::Disabled);
        if (m_dot) {
            const double radius = withFont(7) / 2.0;
            painter.setPen(Qt::NoPen);
            painter.setBrush(accent);
            painter.drawEllipse(QPointF(place.right() + radius, place.top() + radius / 2), radius, radius);
        }
        if (!words)
            return;
        painter.setPen(isEnabled() ? ink : palette().color(QPalette::Disabled, QPalette::WindowText));
        painter.drawText(QRect(0, place.bottom() + 1, width(), fontMetrics().lineSpacing()), Qt::AlignCenter,
                         fontMetrics().elidedText(text(), Qt::ElideRight, width()));
    }

    bool m_dot = false;
};

}   // namespace

Rail::Rail(const QString& prefix, const QString& accessibleName, QWidget* parent) : QWidget(parent), m_prefix(prefix)
{
    setAccessibleName(accessibleName);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 8, 4, 8);
    column->setSpacing(2);
    column->addStretch(1);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Ignored);
    shape();
}

QToolButton* Rail::add(const QString& id, const QString& title, const QString& icon, const QString& tip)
{
    auto* button = new RailButton(this);
    describeControl(button, m_prefix + QLatin1Char('/') + id, title, tip);
    button->setText(title);
    button->setIcon(::icon(icon));
    button->setCheckable(true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setAttribute(Qt::WA_Hover);
    button->installEventFilter(this);
    connect(button, &QToolButton::clicked, this, [this, id] {
        setCurrent(m_current);   // the owner decides whether another button becomes current
        Q_EMIT chosen(id);
    });
    static_cast<QVBoxLayout*>(layout())->insertWidget(static_cast<int>(m_entries.size()), button);
    m_entries.push_back({id, tip, button});
    shape();
    return button;
}

void Rail::setCurrent(const QString& id)
{
    m_current = id;
    for (const auto& entry : m_entries)
        entry.button->setChecked(entry.id == id);
}

void Rail::setOpen(const QString& id, const QString& state)
{
    m_open = state.isEmpty() ? QString() : id;
    for (const auto& entry : m_entries)
        if (entry.id == id) {
            static_cast<RailButton*>(entry.button)->setDot(!state.isEmpty());
            entry.button->setAccessibleName(state.isEmpty() ? entry.button->text()
                                                            : tr("%1 (%2)").arg(entry.button->text(), state));
            if (entry.button->isEnabled())
                entry.button->setToolTip(state.isEmpty() ? entry.tip : tr("%1 (%2)").arg(entry.tip, state));
        }
}

void Rail::setWhyNot(const QString& id, const QString& why)
{
    for (const auto& entry : m_entries)
        if (entry.id == id) {
            entry.button->setEnabled(why.isEmpty());
            entry.button->setToolTip(why.isEmpty() ? entry.tip : why);
        }
}

QString Rail::whyNot(const QString& id) const
{
    const auto found = std::ranges::find(m_entries, id, &Entry::id);
    return found == m_entries.end() || found->button->isEnabled() ? QString() : found->button->toolTip();
}

void Rail::fit(bool narrow, int height)
{
    const int high = withFont(12 + railIcon) + fontMetrics().lineSpacing() + 2;
    narrow         = narrow || static_cast<int>(m_entries.size()) * high + 16 > height;
    if (narrow == m_narrow)
        return;
    m_narrow = narrow;
    shape();
}

void Rail::shape()
{
    int width = withFont(m_narrow ? narrowRail : wideRail) - 8;
    for (const auto& entry : m_entries) {
        entry.button->setToolButtonStyle(m_narrow ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextUnderIcon);
        if (!m_narrow)
            width = std::max(width, entry.button->fontMetrics().horizontalAdvance(entry.button->text()) + 10);
        entry.button->updateGeometry();
    }
    setFixedWidth(width + 8);
}

void Rail::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        shape();
}

/// Up and Down move through the column.
bool Rail::eventFilter(QObject* button, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const auto key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down)
            return focusNextPrevChild(key == Qt::Key_Down);
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            static_cast<QToolButton*>(button)->click();
            return true;
        }
    }
    return QWidget::eventFilter(button, event);
}
