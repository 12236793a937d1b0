// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/double_well_walk.h"

#include <QWidget>

class QComboBox;
class QDoubleSpinBox;
class QSpinBox;

/// Start, step sizes and speed of the chains on the double well.
class DoubleWellSettings : public QWidget {
    Q_OBJECT
public:
    explicit DoubleWellSettings(QWidget* parent = nullptr);

    credence::double_well::WalkOptions options() const;
    int steps() const;   ///< length of one Play
    int stepsEachFrame() const;

signals:
    void optionsChanged();         ///< other options, so new chains
    void paceChanged(int steps);   ///< steps per frame
    void restartRequested();

private:
    void takePublished();
    QDoubleSpinBox* addNumber(const QString& name, const QString& label, const QString& tip, double value, double low,
                              double high, double step, int decimals);
    QSpinBox* addCount(const QString& name, const QString& label, const QString& tip, int value, int low, int high);
    void add(const QString& label, QWidget* control);

    QDoubleSpinBox *m_stepSize, *m_momentum, *m_temperature;
    QComboBox* m_start;
    QSpinBox *m_seed, *m_steps, *m_pace;
};
