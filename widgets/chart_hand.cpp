// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart_hand.h"

#include "charts/triangle.h"
#include "simplex/ternary_grid.h"
#include "widgets/accessibility.h"
#include "widgets/chart_overlays.h"
#include "widgets/chart_painter.h"
#include "widgets/chart_view.h"

#include <QAction>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QStringList>
#include <QToolTip>
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace credence {
namespace {

QString number(double value) { return QString::number(value, 'g', 4).replace(QLatin1Char('-'), QChar(0x2212)); }

QString withUnit(double value, const std::string& unit)
{
    return unit.empty() ? number(value) : QStringLiteral("%1 %2").arg(number(value), QString::fromStdString(unit));
}

QString named(const std::string& name, const QString& value)
{
    return name.empty() ? value : QStringLiteral("%1: %2").arg(QString::fromStdString(name), value);
}

QString onAxis(const Axis& axis, double value)
{
    if (axis.hidden)
        return {};
    if (axis.categories.empty())
        return named(axis.label, withUnit(value, axis.unit));
    const auto index = static_cast<std::ptrdiff_t>(std::lround(value));
    if (index < 0 || index >= static_cast<std::ptrdiff_t>(axis.categories.size()))
        return {};
    return named(axis.label, QString::fromStdString(axis.categories[static_cast<std::size_t>(index)]));
}

QString inMap(const HeatMap& map, double x, double y)
{
    const auto cell = [](double value, Range centres, int n, bool logarithmic) {
        if (n < 2)
            return 0L;
        const double share = logarithmic ? std::log(value / centres.first) / std::log(centres.second / centres.first)
                                         : (value - centres.first) / (centres.second - centres.first);
        return std::isfinite(share) ? std::lround(share * (n - 1)) : -1L;
    };
    const long column = cell(x, map.x, map.nx, map.x_logarithmic), row = cell(y, map.y, map.ny, map.y_logarithmic);
    if (column < 0 || column >= map.nx || row < 0 || row >= map.ny)
        return {};
    const double z = static_cast<double>(
        map.z[static_cast<std::size_t>(row) * static_cast<std::size_t>(map.nx) + static_cast<std::size_t>(column)]);
    if (!std::isfinite(z))
        return {};
    if (!map.categories.empty()) {
        const auto index = static_cast<std::size_t>(std::max(0L, std::lround(z)));
        return index < map.categories.size() ? named(map.name, QString::fromStdString(map.categories[index]))
                                             : QString();
    }
    return named(map.name, withUnit(z, map.unit));
}

QString inPicture(const Picture& picture, double x, double y)
{
    const int column = static_cast<int>(
        std::floor((x - picture.x + picture.width / 2) / picture.width * picture.columns));
    const int row = static_cast<int>(std::floor((picture.y + picture.height / 2 - y) / picture.height * picture.rows));
    if (column < 0 || column >= picture.columns || row < 0 || row >= picture.rows)
        return {};
    QStringList shades;
    for (int channel = 0; channel < picture.channels; ++channel)
        shades << QString::number(
            picture.pixels[(static_cast<std::size_t>(channel) * static_cast<std::size_t>(picture.rows)
                            + static_cast<std::size_t>(row))
                               * static_cast<std::size_t>(picture.columns)
                           + static_cast<std::size_t>(column)]);
    const QString pixel =
        QStringLiteral("row %1, column %2: %3").arg(row).arg(column).arg(shades.join(QStringLiteral(", ")));
    const QString caption = QString::fromStdString(picture.caption);
    return caption.isEmpty() ? pixel : caption + QLatin1Char('\n') + pixel;
}

/// The three probabilities and the map value; empty outside the triangle.
QString inTriangle(const Panel& panel, double first, double second)
{
    const TrianglePlace place{first, second};
    if (!place.inside())
        return {};
    QStringList lines;
    const double probabilities[] = {first, second, place.third()};
    for (std::size_t k = 0; k < 3; ++k)
        lines << named(panel.triangle->corners[k], QString::number(probabilities[k], 'f', 3));
    for (const Series& series : panel.series)
        if (const auto* map = std::get_if<TernaryMap>(&series);
            map && map->z.size() == static_cast<std::size_t>(map->n) * static_cast<std::size_t>(map->n))
            lines << named(
                map->name,
                withUnit(static_cast<double>(
                             map->z[static_cast<std::size_t>(TernaryGrid{map->n, {}}.cell_of(first, second))]),
                         map->unit));
    return lines.join(QLatin1Char('\n'));
}

}   // namespace

QString describePoint(const Panel& panel, double x, double y)
{
    if (panel.words_at)
        return QString::fromStdString(panel.words_at(x, y));
    if (panel.triangle)
        return inTriangle(panel, x, y);
    QStringList lines{onAxis(panel.x, x), onAxis(panel.y, y)};
    for (const Series& series : panel.series) {
        if (const auto* pictures = std::get_if<Pictures>(&series))
            for (const Picture& picture : pictures->pictures)
                lines << inPicture(picture, x, y);
        if (const auto* map = std::get_if<HeatMap>(&series))
            lines << inMap(*map, x, y);
        if (const auto* boxes = std::get_if<Boxes>(&series))
            for (const Box& box : boxes->boxes)
                if (std::abs(box.position - x) <= boxes->width / 2)
                    lines << QStringLiteral("median %1, quartiles %2 to %3, whiskers %4 to %5, %6 outliers")
                                 .arg(number(box.median), number(box.lower_quartile), number(box.upper_quartile),
                                      number(box.lower_whisker), number(box.upper_whisker))
                                 .arg(box.outliers.size());
        if (const auto* bars = std::get_if<IntervalBars>(&series))
            for (const IntervalBar& bar : bars->bars)
                if (std::abs(bar.position - x) <= 0.3)
                    lines << named(bars->name, QStringLiteral("%1, from %2 to %3")
                                                   .arg(number(bar.centre), number(bar.lower), number(bar.upper)));
        if (const auto* bars = std::get_if<Bars>(&series))
            for (std::size_t k = 0; k < bars->position.size(); ++k)
                if (std::abs(bars->position[k] - (bars->horizontal ? y : x)) < bars->width / 2)
                    lines << named(!bars->name.empty() ? bars->name
                                   : bars->horizontal  ? "length"
                                                       : "height",
                                   number(bars->height[k]));
    }
    lines.removeAll(QString());
    return lines.join(QLatin1Char('\n'));
}

ChartHand::ChartHand(ChartView& view, ChartPainter& painter, QCustomPlot* plot)
    : QObject(&view), m_view(view), m_painter(painter), m_plot(plot), m_cross(new KeyboardCross(plot))
{
    m_plot->setMouseTracking(true);
    m_plot->installEventFilter(this);
}

void ChartHand::setDrawing(bool drawing)
{
    m_drawing = drawing;
    m_plot->setCursor(drawing ? Qt::CrossCursor : Qt::ArrowCursor);
}

bool ChartHand::mayHave(const Chart& chart)
{
    const auto lacks = [&chart](int panel) {
        return panel >= 0 && chart.panels.size() <= static_cast<std::size_t>(panel);
    };
    if (lacks(m_panPanel))
        m_panPanel = -1;
    return !lacks(m_pressedPanel);
}

void ChartHand::zoomed()
{
    m_view.offers().resetZoom->setEnabled(true);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

bool ChartHand::keyPressed(const QKeyEvent* event)
{
    const double step = event->modifiers().testFlag(Qt::ShiftModifier) ? 1 : 10;
    const int panel   = m_cross->isVisible() ? m_painter.panelAt(m_cross->position()) : -1;
    switch (event->key()) {
    case Qt::Key_Left: moveCross({-step, 0}); return true;
    case Qt::Key_Right: moveCross({step, 0}); return true;
    case Qt::Key_Up: moveCross({0, -step}); return true;
    case Qt::Key_Down: moveCross({0, step}); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (panel >= 0) {
            const QPointF at = m_painter.coordinates(panel, m_cross->position());
            Q_EMIT pointClicked(panel, at.x(), at.y());
        }
        return panel >= 0 || event->key() != Qt::Key_Space;   // without a cross the window handles the space bar
    case Qt::Key_Escape:
        if (!m_cross->isVisible())
            return false;
        m_cross->hide();
        return true;
    case Qt::Key_Plus:
    case Qt::Key_Minus:
        if (m_zoomEnabled && m_painter.panelCount() > 0) {
            const int target     = std::max(panel, 0);
            const QPointF centre = panel >= 0 ? m_cross->position() : QRectF(m_painter.panelRect(target)).center();
            m_painter.zoom(target, centre, event->key() == Qt::Key_Plus ? 0.8 : 1.25);
            zoomed();
        }
        return true;
    case Qt::Key_Home: m_view.resetZoom(); return true;
    default: return false;
    }
}

void ChartHand::moveCross(QPointF by)
{
    if (m_painter.panelCount() == 0)
        return;
    QPointF at = m_cross->position() + by;
    if (!m_cross->isVisible())
        at = QRectF(m_painter.panelRect(0)).center();
    const QRectF bounds(m_plot->rect());
    m_cross->moveTo(
        {std::clamp(at.x(), bounds.left(), bounds.right()), std::clamp(at.y(), bounds.top(), bounds.bottom())});
    m_cross->show();
    hover(m_cross->position(), m_plot->mapToGlobal(m_cross->position().toPoint()));
    announce(&m_view, wordsAtCross(), Announcer::Urgency::settled);
}

QString ChartHand::wordsAtCross() const
{
    if (m_cross->isHidden())
        return {};
    QString here = wordsAt(m_cross->position());
    here.replace(QLatin1Char('\n'), QStringLiteral("; "));
    return here.isEmpty() ? tr("Outside the axes") : here;
}

/// @return true: the event was handled
bool ChartHand::eventFilter(QObject*, QEvent* event)
{
    switch (event->type()) {
    case QEvent::MouseButtonPress: pressed(*static_cast<QMouseEvent*>(event)); return false;
    case QEvent::MouseMove: moved(*static_cast<QMouseEvent*>(event)); return false;
    case QEvent::MouseButtonRelease: buttonReleased(*static_cast<QMouseEvent*>(event)); return false;
    case QEvent::MouseButtonDblClick: doubleClicked(*static_cast<QMouseEvent*>(event)); return false;
    case QEvent::Wheel: return wheelTurned(*static_cast<QWheelEvent*>(event));
    default: return false;
    }
}

void ChartHand::press(int panel, QPointF position)
{
    m_pressedPanel   = panel;
    m_pressedAt      = position;
    m_moved          = false;
    m_doubleClicked  = false;
    const QPointF at = m_painter.coordinates(panel, position);
    Q_EMIT pointPressed(panel, at.x(), at.y());
}

void ChartHand::pressed(const QMouseEvent& mouse)
{
    m_view.setFocus(Qt::MouseFocusReason);
    m_cross->hide();
    const int panel = m_painter.panelAt(mouse.position());
    if (mouse.button() == Qt::MiddleButton && m_zoomEnabled) {
        m_panPanel = panel;
        m_panFrom  = mouse.position();
    } else if (mouse.button() == Qt::LeftButton && panel >= 0) {
        press(panel, mouse.position());
    }
}

void ChartHand::moved(const QMouseEvent& mouse)
{
    if (m_panPanel >= 0 && mouse.buttons().testFlag(Qt::MiddleButton)) {
        m_painter.pan(m_panPanel, m_panFrom, mouse.position());
        m_panFrom = mouse.position();
        zoomed();
    } else if (m_pressedPanel >= 0 && mouse.buttons().testFlag(Qt::LeftButton)) {
        m_moved = m_moved || (mouse.position() - m_pressedAt).manhattanLength() > 4;
        if (m_moved) {
            const QPointF at = m_painter.coordinates(m_pressedPanel, mouse.position());
            Q_EMIT pointDragged(m_pressedPanel, at.x(), at.y());
        }
    } else {
        hover(mouse.position(), mouse.globalPosition().toPoint());
    }
}

void ChartHand::buttonReleased(const QMouseEvent& mouse)
{
    if (mouse.button() == Qt::MiddleButton)
        m_panPanel = -1;
    if (mouse.button() != Qt::LeftButton || m_pressedPanel < 0)
        return;
    const int panel  = std::exchange(m_pressedPanel, -1);
    const QPointF at = m_painter.coordinates(panel, mouse.position());
    Q_EMIT pointReleased(panel, at.x(), at.y());
    if (!m_moved && !m_doubleClicked)
        Q_EMIT pointClicked(panel, at.x(), at.y());
    Q_EMIT released();
}

void ChartHand::doubleClicked(const QMouseEvent& mouse)
{
    const int panel = m_painter.panelAt(mouse.position());
    if (m_drawing && mouse.button() == Qt::LeftButton && panel >= 0) {
        press(panel, mouse.position());   // two quick clicks
    } else if (m_zoomEnabled) {
        m_doubleClicked = true;
        m_view.resetZoom();
    }
}

bool ChartHand::wheelTurned(QWheelEvent& wheel)
{
    const int panel = m_painter.panelAt(wheel.position());
    if (!m_zoomEnabled || panel < 0 || wheel.angleDelta().y() == 0)
        return false;
    m_painter.zoom(panel, wheel.position(), std::pow(0.85, wheel.angleDelta().y() / 120.0));
    zoomed();
    wheel.accept();
    return true;
}

/// Describes the values at a point of the plot, one per line; empty outside the axes.
QString ChartHand::wordsAt(QPointF position) const
{
    const int panel = m_painter.panelAt(position);
    if (panel < 0 || static_cast<std::size_t>(panel) >= m_view.chart().panels.size())
        return {};
    const QPointF at = m_painter.coordinates(panel, position);
    return describePoint(m_view.chart().panels[static_cast<std::size_t>(panel)], at.x(), at.y());
}

void ChartHand::hover(QPointF position, QPoint global)
{
    const QString words = wordsAt(position);
    if (words.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(global + QPoint(12, 12), words, m_plot);
}

}   // namespace credence
