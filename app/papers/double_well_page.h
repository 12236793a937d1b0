// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/double_well.h"
#include "parts/tool_page.h"

#include <QWidget>

#include <atomic>
#include <memory>

class QComboBox;
class QDoubleSpinBox;
class QSpinBox;

/// Start, step sizes and speed of the chains on the double well.
class DoubleWellSettings : public QWidget {
    Q_OBJECT
public:
    explicit DoubleWellSettings(QWidget* parent = nullptr);

    credence::double_well::ChainPairOptions options() const;
    int steps() const;   ///< length of one Play
    int stepsEachFrame() const;

signals:
    void optionsChanged();         ///< other options, so new chains
    void paceChanged(int steps);   ///< steps per frame
    void restartRequested();

private:
    void usePublished();
    QDoubleSpinBox* addNumber(const QString& name, const QString& label, const QString& tip, double value, double low,
                              double high, double step, int decimals);
    QSpinBox* addCount(const QString& name, const QString& label, const QString& tip, int value, int low, int high);
    void add(const QString& label, QWidget* control);

    QDoubleSpinBox *m_stepSize, *m_momentum, *m_temperature;
    QComboBox* m_start;
    QSpinBox *m_seed, *m_steps, *m_pace;
};

/// A chain over a point and a chain over a Gaussian on the double-well potential, step by step (the
/// functional-BNN submission, Fig. 1): their positions, their densities so far compared with the
/// reference, and the density ratio.
class DoubleWellPage : public ToolPage {
    Q_OBJECT
public:
    explicit DoubleWellPage(QWidget* parent = nullptr);

    void restart() override;   ///< Returns to the starting point of the current settings and waits.
    void cancel() override;
    bool busy() const override;
    long steps() const { return m_steps; }   ///< of the displayed chains

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Play;
    struct Frame;

    static Frame frameOf(Play& play);
    Worker::Work work() override;
    void showFrame(const Frame& frame);
    QWidget* buildContent();

    DoubleWellSettings* m_settings;
    credence::ChartView *m_chainPair, *m_numbers, *m_density, *m_ratio, *m_trace;
    std::shared_ptr<Play> m_play;   ///< null until first shown; its contents belong to the worker
    std::shared_ptr<std::atomic<int>> m_pace;
    long m_steps = 0;
    // Declared last: its thread must end before the objects that it updates.
    Worker m_ratios{{.newer = Worker::Newer::waits_for_old, .rest = 1}};
};
