// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/chart_view.h"

namespace credence {

/// A cross that the arrow keys move over the picture, in the colour of selection.
class KeyboardCross : public QWidget {
public:
    explicit KeyboardCross(QWidget* plot);
    QPointF position() const { return QRectF(geometry()).center(); }
    void moveTo(QPointF position) { move((position - QPointF(width(), height()) / 2).toPoint()); }

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// Shows that a view has the focus, to who came there by the Tab key: a line along its edge, until the focus goes on or the mouse is used.
class FocusBorder : public QWidget {
public:
    explicit FocusBorder(QWidget* view);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
};

/// The mark of the chosen input, over the whole picture.
class MarkLayer : public QWidget {
public:
    MarkLayer(const ChartPainter& painter, QWidget* plot);
    std::optional<ChartMark> mark;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const ChartPainter& m_painter;
};

}   // namespace credence
