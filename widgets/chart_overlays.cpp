// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart_overlays.h"

#include "widgets/chart_painter.h"

#include <QFocusEvent>
#include <QPainter>

namespace credence {
namespace {

/// Draws in the selection colour on a wider line in the theme's lightest shade, which is visible on
/// every chart, including dark ends of maps.
template <class Draw>
void drawTwice(QPainter& painter, const QPalette& palette, Draw draw)
{
    const QColor base = palette.color(QPalette::Base), text = palette.color(QPalette::Text);
    const QColor light = base.lightness() > text.lightness() ? base : text;
    for (const auto& [colour, width] : {std::pair{light, 4.0}, std::pair{palette.color(QPalette::Highlight), 2.0}}) {
        painter.setPen(QPen(colour, width));
        draw();
    }
}

}   // namespace

KeyboardCross::KeyboardCross(QWidget* plot) : QWidget(plot)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    resize(25, 25);
    hide();
}

void KeyboardCross::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    drawTwice(painter, palette(), [&] {
        const double c = width() / 2.0;
        painter.drawLine(QLineF(c, 0, c, height()));
        painter.drawLine(QLineF(0, c, width(), c));
    });
}

FocusBorder::FocusBorder(QWidget* view) : QWidget(view)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
    view->installEventFilter(this);
}

bool FocusBorder::eventFilter(QObject*, QEvent* event)
{
    if (event->type() == QEvent::FocusIn) {
        const auto reason = static_cast<QFocusEvent*>(event)->reason();
        resize(parentWidget()->size());
        raise();
        setVisible(reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason);
    } else if (event->type() == QEvent::FocusOut) {
        hide();
    } else if (event->type() == QEvent::Resize) {
        resize(parentWidget()->size());
    }
    return false;
}

void FocusBorder::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
    painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
}

MarkLayer::MarkLayer(const ChartPainter& painter, QWidget* plot) : QWidget(plot), m_painter(painter)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

void MarkLayer::refresh()
{
    resize(parentWidget()->size());
    setVisible(mark || !squares.empty());
    update();
}

void MarkLayer::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double size = font().pointSizeF() > 0 ? 0.55 * QFontMetricsF(font()).height() : 8;
    for (const auto& square : squares)
        if (square.panel < m_painter.panelCount()) {
            painter.setClipRect(m_painter.panelRect(square.panel));
            const QPointF at = m_painter.position(square.panel, {square.x, square.y});
            const QPointF half(0.75 * size, 0.75 * size);
            drawTwice(painter, palette(), [&] { painter.drawRect(QRectF(at - half, at + half)); });
        }
    if (!mark || m_painter.panelCount() == 0)
        return;
    for (int panel = 0; panel < (mark->everywhere ? m_painter.panelCount() : 1); ++panel) {
        const QRectF inside = m_painter.panelRect(panel);
        const QPointF at    = m_painter.position(panel, {mark->x, mark->y.value_or(0)});
        painter.setClipRect(inside);
        drawTwice(painter, palette(), [&] {
            if (mark->y)
                painter.drawPolygon(QPolygonF(
                    {at + QPointF(0, -size), at + QPointF(size, 0), at + QPointF(0, size), at + QPointF(-size, 0)}));
            else
                painter.drawLine(QLineF(at.x(), inside.top(), at.x(), inside.bottom()));
        });
    }
}

}   // namespace credence
