// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/data_rows.h"
#include "widgets/chart_view.h"

namespace credence {

/// A cross on the chart, moved by the arrow keys, in the selection colour.
class KeyboardCross : public QWidget {
public:
    explicit KeyboardCross(QWidget* plot);
    QPointF position() const { return QRectF(geometry()).center(); }
    void moveTo(QPointF position) { move((position - QPointF(width(), height()) / 2).toPoint()); }

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// Shows keyboard focus after Tab as a line along the edge, until the focus moves on or the mouse
/// is used.
class FocusBorder : public QWidget {
public:
    explicit FocusBorder(QWidget* view);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
};

/// The marks of the selected input over the whole chart.
class MarkLayer : public QWidget {
public:
    MarkLayer(const ChartPainter& painter, QWidget* plot);
    std::optional<ChartMark> mark;
    std::vector<PanelPoint> squares;   ///< points of the marked row
    void refresh();                    ///< after a change of these

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const ChartPainter& m_painter;
};

}   // namespace credence
