// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <QObject>
#include <QPoint>
#include <QPointF>
#include <QString>

class QCustomPlot;
class QKeyEvent;
class QMouseEvent;
class QWheelEvent;

namespace credence {

/// Describes a point of a panel for the tooltip: coordinates, map value, and numbers of the nearest
/// box, bar or interval.
QString describePoint(const Panel& panel, double x, double y);

class ChartPainter;
class ChartView;
class KeyboardCross;

/// Mouse and arrow keys on a chart: reports clicks and drags, pans and zooms.
class ChartHand : public QObject {
    Q_OBJECT
public:
    ChartHand(ChartView& view, ChartPainter& painter, QCustomPlot* plot);

    void setZoomEnabled(bool enabled) { m_zoomEnabled = enabled; }   ///< wheel, middle button, double click
    /// While drawing points: a cross pointer, and double clicks count as clicks.
    void setDrawing(bool drawing);
    /// Ends interactions with panels missing from the new chart. @return false: a button is pressed
    /// on such a panel
    bool mayHave(const Chart& chart);
    bool keyPressed(const QKeyEvent* event);   ///< @return true: the event was handled
    /// Describes the values at the keyboard cross for screen readers; empty: the cross is hidden.
    QString wordsAtCross() const;

signals:
    void pointClicked(int panel, double x,
                      double y);   ///< left button pressed and released at one point; Enter at the keyboard cross
    void pointPressed(int panel, double x, double y);
    void pointDragged(int panel, double x, double y);   ///< left button held
    void pointReleased(int panel, double x, double y);
    void released();   ///< after a press

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void press(int panel, QPointF position);
    void pressed(const QMouseEvent& mouse);
    void moved(const QMouseEvent& mouse);
    void buttonReleased(const QMouseEvent& mouse);
    void doubleClicked(const QMouseEvent& mouse);
    bool wheelTurned(QWheelEvent& wheel);   ///< @return true: the event was handled
    void hover(QPointF position, QPoint global);
    void moveCross(QPointF by);
    QString wordsAt(QPointF position) const;
    void zoomed();

    ChartView& m_view;
    ChartPainter& m_painter;
    QCustomPlot* m_plot;
    KeyboardCross* m_cross;
    bool m_zoomEnabled = true, m_drawing = false;
    int m_pressedPanel = -1;
    QPointF m_pressedAt;
    bool m_moved         = false;
    bool m_doubleClicked = false;
    int m_panPanel       = -1;
    QPointF m_panFrom;
};

}   // namespace credence
