// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "images/image_transforms.h"

#include <QWidget>

#include <functional>

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

class NumberSlider;
class QComboBox;
class QGridLayout;
class QSpinBox;

/// Sliders with number boxes for image perturbations.
class DisturbPanel : public QWidget {
    Q_OBJECT
public:
    explicit DisturbPanel(QWidget* parent = nullptr);

    /// @param classes  targets of a morph; @param largestShift  pixels
    void setKind(const QStringList& classes, double largestShift);
    const credence::Disturbance& disturbance() const { return m_disturbance; }
    void setDisturbance(const credence::Disturbance& disturbance);   ///< Sends no signal.

    static constexpr int nextChosen = -1;   ///< morphs into the next selected image
    int targetClass() const;                ///< a class, or nextChosen
    void setTargetWords(const QString& words);

signals:
    void changed(const credence::Disturbance& disturbance);
    void targetWanted(int targetClass, bool another);   ///< another: the next image of that class
    void resetRequested();

private:
    struct RowSpec {
        QString name, title, help;
        double low, high, step;
        int decimals;
        QString unit;
        std::function<void(credence::Disturbance&, double)> set;
    };
    void addSliders(QGridLayout* grid);
    void addCorruption(QGridLayout* grid);
    NumberSlider* addRow(QGridLayout* grid, const RowSpec& spec);

    credence::Disturbance m_disturbance;
    NumberSlider *m_rotate, *m_right, *m_down, *m_scale, *m_blur, *m_noise, *m_morph;
    QComboBox* m_target;
    QToolButton* m_another;
    QToolButton* m_newNoise;
    QComboBox* m_corruption;
    QSpinBox* m_severity;
};
