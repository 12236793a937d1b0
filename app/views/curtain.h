// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <QTimer>
#include <QWidget>

#include <array>

class QLabel;
class QSlider;
namespace credence {
class ChartView;
}

/// Two maps with the same axes in one place: the first to the left of a handle, the second to its right. The handle
/// follows the mouse and the arrow keys; a double click centres it.
class Curtain : public QWidget {
    Q_OBJECT
public:
    explicit Curtain(QWidget* parent);

    /// Why a chart cannot be shown by a curtain; empty: it can.
    static QString whyNot(const credence::Chart& chart);
    void setChart(const credence::Chart& chart);   ///< for which whyNot is empty
    double share() const;                          ///< of the width of the axes to the left of the handle

signals:
    void pointClicked(double x, double y);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void place();

    std::array<credence::ChartView*, 2> m_maps;   ///< the second covers the first
    std::array<QLabel*, 2> m_labels;
    std::array<QString, 2> m_names;
    QSlider* m_handle;
    QTimer m_placing;   ///< charts are laid out after they have their size
};
