// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class ImageCanvas;
class QCheckBox;
class QDoubleSpinBox;
class QToolButton;

/// Pen and eraser for a canvas.
class DrawPanel : public QWidget {
    Q_OBJECT
public:
    DrawPanel(ImageCanvas& canvas, QWidget* parent);

    bool centres() const;      ///< Is the drawing to be centred as in MNIST?
    void setDrawn(bool any);   ///< Are there strokes to undo?

signals:
    void centringChanged();

private:
    void setPen();

    ImageCanvas& m_canvas;
    QToolButton *m_pen, *m_eraser, *m_undo, *m_clear;
    QDoubleSpinBox* m_width;
    QCheckBox* m_mainTabs;
};
