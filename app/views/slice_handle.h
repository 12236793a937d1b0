// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <QPointF>
#include <QWidget>

#include <cstddef>
#include <optional>

class ChangedRow;
class ViewPanel;
struct AppContext;

/// The handle of a slice: a line at the value of the selected row, or a cross if the slice is over two inputs.
/// Dragging it, or its arrow keys, change the row, which everything else follows. A double click returns to the
/// unchanged row.
class SliceHandle : public QWidget {
    Q_OBJECT
public:
    SliceHandle(AppContext& context, ChangedRow& row, ViewPanel* panel);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void place();
    bool findInputs();
    void moveTo(QPointF onChart);
    void step(std::size_t input, const credence::Axis& axis, double share);
    void describe();
    QString inWords(std::size_t input) const;

    AppContext& m_context;
    ChangedRow& m_row;
    ViewPanel* m_panel;
    std::optional<std::size_t> m_x, m_y;   ///< inputs of the row; m_y: of a slice over two
    std::optional<QPointF> m_grip;         ///< from the point that it holds to the pointer; empty: it is not dragged
};
