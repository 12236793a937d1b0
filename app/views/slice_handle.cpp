// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/slice_controls.h"

#include "parts/appearance.h"
#include "parts/view_panel.h"
#include "session/app_context.h"
#include "views/changed_row.h"
#include "widgets/accessibility.h"
#include "widgets/chart_view.h"
#include "work/text.h"

#include "foundation/number_text.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <variant>

using namespace credence;

namespace {

constexpr int sliceGrip = 5;   ///< radius of the knob, pixels at the usual size of text

/// The share of the way along an axis, and back.
double shareAlong(const Axis& axis, Range shown, double value)
{
    return axis.logarithmic ? std::log(value / shown.first) / std::log(shown.second / shown.first)
                            : (value - shown.first) / (shown.second - shown.first);
}
double valueAlong(const Axis& axis, Range shown, double share)
{
    return axis.logarithmic ? shown.first * std::pow(shown.second / shown.first, share)
                            : shown.first + share * (shown.second - shown.first);
}

bool hasMapSeries(const Panel& panel)
{
    return std::ranges::any_of(panel.series,
                               [](const Series& series) { return std::holds_alternative<HeatMap>(series); });
}

}   // namespace

SliceHandle::SliceHandle(AppContext& context, ChangedRow& row, ViewPanel* panel)
    : QWidget(panel->chartView()), m_context(context), m_row(row), m_panel(panel)
{
    setObjectName(QStringLiteral("sliceHandle"));
    setAccessibleName(tr("Handle of the slice"));
    setFocusPolicy(Qt::StrongFocus);
    hide();
    connect(panel, &ViewPanel::chartShown, this, &SliceHandle::place);
    connect(panel->chartView(), &ChartView::redrawn, this, &SliceHandle::place);
    connect(panel->chartView(), &ChartView::dataShown, this, &SliceHandle::place);
    connect(&row, &ChangedRow::changed, this, &SliceHandle::place);
    connect(&context.choices, &ViewChoices::changed, this, &SliceHandle::place);
}

/// @return  false: the chart is not a slice through the selected row
bool SliceHandle::findInputs()
{
    m_x.reset();
    m_y.reset();
    const auto& chart = m_panel->chart();
    if (m_panel->view().id != "slice" || !m_panel->hasChart() || chart.id != "slice" || chart.panels.size() != 1
        || m_context.choices.options().slice.hold != SliceHold::row || m_row.values().empty())
        return false;
    m_x = m_row.inputNamed(chart.panels[0].x.label);
    if (!hasMapSeries(chart.panels[0]))
        return m_x.has_value();
    m_y = m_row.inputNamed(chart.panels[0].y.label);
    return m_x && m_y;
}

void SliceHandle::place()
{
    auto* chart       = m_panel->chartView();
    const QRect axes  = chart->panelRect(0);
    const auto ranges = chart->shownRange(0);
    if (!findInputs() || chart->offers().showData->isChecked() || axes.width() < 2 || axes.height() < 2 || !ranges)
        return hide();
    const auto& panel = m_panel->chart().panels[0];
    const double x    = shareAlong(panel.x, ranges->first, m_row.valueOf(*m_x));
    const double y    = m_y ? shareAlong(panel.y, ranges->second, m_row.valueOf(*m_y)) : 0.5;
    const auto inside = [](double share, int pixels) {   // rounding may move a value at the edge beyond it
        return share >= -1.0 / pixels && share <= 1 + 1.0 / pixels;
    };
    if (!inside(x, axes.width()) || !inside(y, axes.height()))   // of a zoomed range
        return hide();
    const int half = withFont(2 * sliceGrip);
    const QPoint at(axes.left() + static_cast<int>(std::lround(x * (axes.width() - 1))),
                    axes.bottom() - static_cast<int>(std::lround(y * (axes.height() - 1))));
    if (m_y)
        setGeometry(at.x() - half, at.y() - half, 2 * half + 1, 2 * half + 1);
    else
        setGeometry(at.x() - half / 2, axes.top(), 2 * (half / 2) + 1, axes.height());
    setCursor(m_y ? Qt::SizeAllCursor : Qt::SplitHCursor);
    describe();
    show();
    raise();
}

QString SliceHandle::inWords(std::size_t input) const
{
    const auto& group  = m_row.inputs()[input];
    const double value = m_row.valueOf(input);
    const QString text = group.is_category()
                             ? toQString(group.categories[static_cast<std::size_t>(std::max(0.0, value))])
                             : toQString(display_text(value, 4));
    return tr("%1: %2").arg(toQString(group.name), text);
}

void SliceHandle::describe()
{
    const QString values = m_y ? inWords(*m_x) + QStringLiteral("; ") + inWords(*m_y) : inWords(*m_x);
    setAccessibleDescription(values);
    setToolTip(values + QLatin1Char('\n')
               + tr("Drag to change the row, or use the arrow keys. Double-click returns to the row."));
}

/// Moves the handle.
/// @param onChart  in chart coordinates
void SliceHandle::moveTo(QPointF onChart)
{
    const auto* chart = m_panel->chartView();
    const QRect axes  = chart->panelRect(0);
    const auto ranges = chart->shownRange(0);
    if (!m_x || !ranges || axes.width() < 2 || axes.height() < 2)
        return;
    const auto x        = *m_x;   // placing finds them again
    const auto y        = m_y;
    const auto& panel   = m_panel->chart().panels[0];
    const double alongX = valueAlong(panel.x, ranges->first,
                                     std::clamp((onChart.x() - axes.left()) / (axes.width() - 1), 0.0, 1.0));
    const double alongY = valueAlong(panel.y, ranges->second,
                                     std::clamp((axes.bottom() - onChart.y()) / (axes.height() - 1), 0.0, 1.0));
    m_row.set(x, m_row.nearest(x, alongX));
    if (y)
        m_row.set(*y, m_row.nearest(*y, alongY));
}

/// Moves the value by a step; a category moves by one.
/// @param share  fraction of the displayed axis
void SliceHandle::step(std::size_t input, const Axis& axis, double share)
{
    const auto ranges = m_panel->chartView()->shownRange(0);
    if (!ranges)
        return;
    const auto& shown  = m_x == input ? ranges->first : ranges->second;
    const double value = m_row.valueOf(input);
    double next        = valueAlong(axis, shown, shareAlong(axis, shown, value) + share);
    if (m_row.inputs()[input].is_category())
        next = value + (share > 0 ? 1 : -1);
    else if (const auto& numbers = m_row.numbersOf(input); numbers.whole && std::abs(next - value) < 1)
        next = value + (share > 0 ? 1 : -1);
    m_row.set(input, m_row.nearest(input, next));
    announce(this, inWords(input), Announcer::Urgency::settled);
}

void SliceHandle::paintEvent(QPaintEvent*)
{
    const QColor ground = palette().color(QPalette::Base), ink = palette().color(QPalette::Highlight);
    const double radius = withFont(sliceGrip);
    const QPointF middle(width() / 2.0, m_y ? height() / 2.0 : height() - 2.5 * radius);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const auto& [colour, thickness] : {std::pair{ground, 4.0}, {ink, 2.0}}) {
        painter.setPen(QPen(colour, thickness, Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(QPointF(middle.x(), 0), QPointF(middle.x(), height()));
        if (m_y)
            painter.drawLine(QPointF(0, middle.y()), QPointF(width(), middle.y()));
    }
    painter.setPen(QPen(ink, hasFocus() ? 3 : 2));
    painter.setBrush(ground);
    painter.drawEllipse(middle, radius - 1, radius - 1);
}

void SliceHandle::mousePressEvent(QMouseEvent* event)
{
    event->setAccepted(event->button() == Qt::LeftButton);
    if (event->isAccepted())
        m_grip = event->position() - QPointF(width() / 2, m_y ? height() / 2 : 0);
}

void SliceHandle::mouseMoveEvent(QMouseEvent* event)
{
    if (m_grip && event->buttons().testFlag(Qt::LeftButton))
        moveTo(mapToParent(event->position() - *m_grip));
}

void SliceHandle::mouseReleaseEvent(QMouseEvent*) { m_grip.reset(); }

void SliceHandle::mouseDoubleClickEvent(QMouseEvent*)
{
    m_grip.reset();   // so that a movement before the second release does not change the row again
    m_row.reset();
}

void SliceHandle::keyPressEvent(QKeyEvent* event)
{
    if (!m_x)
        return QWidget::keyPressEvent(event);
    const auto panel  = m_panel->chart().panels[0];   // the chart may be replaced meanwhile
    const double near = event->modifiers().testFlag(Qt::ShiftModifier) ? 0.002 : 0.01;
    switch (event->key()) {
    case Qt::Key_Left: return step(*m_x, panel.x, -near);
    case Qt::Key_Right: return step(*m_x, panel.x, near);
    case Qt::Key_Up: return m_y ? step(*m_y, panel.y, near) : step(*m_x, panel.x, near);
    case Qt::Key_Down: return m_y ? step(*m_y, panel.y, -near) : step(*m_x, panel.x, -near);
    case Qt::Key_PageUp: return step(*m_x, panel.x, 0.1);
    case Qt::Key_PageDown: return step(*m_x, panel.x, -0.1);
    default: QWidget::keyPressEvent(event);
    }
}

void SliceHandle::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void SliceHandle::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}
