// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

class QDoubleSpinBox;
class QSlider;

/// One number with a slider and a box.
class NumberSlider : public QWidget {
    Q_OBJECT
public:
    enum class Scale {
        linear,        ///< the slider uses the steps of the box
        logarithmic,   ///< equal factors are equally long; the range is above 0
    };
    struct Number {
        QString name;    ///< of the box; its slider is "<name>Slider"
        QString title;   ///< for screen readers
        double low = 0, high = 1, step = 0.01;
        double value = 0;   ///< initial value
        int decimals = 2;
        QString unit{}, tip{};   ///< the unit with the space before it
        Scale scale     = Scale::linear;
        int significant = 0;       ///< digits shown, of numbers of many orders of magnitude; 0: `decimals`
        bool date       = false;   ///< days since 1970-01-01, shown as a date
    };
    NumberSlider(const Number& number, QWidget* parent);

    double value() const;
    void setValue(double value);   ///< without a signal
    void setRange(double low, double high);
    /// Identifies the edit that the current number belongs to: a whole drag of the slider is one
    /// edit; each number entered in the box is one.
    int move() const { return m_move; }
    QDoubleSpinBox* box() const { return m_box; }
    QSlider* slider() const { return m_slider; }

    /// Gives the boxes of stacked sliders the same width.
    static void align(const std::vector<NumberSlider*>& sliders);

signals:
    void valueChanged(double value);   ///< by hand
    /// With `significant`: the text is not a number in the range; the previous value stays
    void refused(const QString& typed);

private:
    int placeOf(double value) const;
    double valueAt(int place) const;
    void fitSlider();

    const Scale m_scale;
    const int m_significant;
    QSlider* m_slider;
    QDoubleSpinBox* m_box;
    bool m_sliding = false;   // the current number was set by the slider
    int m_move     = 0;
    bool m_typed   = false;   // the last move was one of the box
};
