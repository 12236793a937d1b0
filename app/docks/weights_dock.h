// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/pruning_preview.h"

#include <QLabel>
#include <QWidget>

class ViewBinder;

/// Replaces the charts of weights while imported predictions are displayed, and explains why.
class NoWeights : public QLabel {
    Q_OBJECT
public:
    /// @param instead  the widget hidden meanwhile
    NoWeights(ViewBinder& binder, QWidget* instead, QWidget* parent);
};

class QCheckBox;
class QComboBox;
class QLabel;
class QSlider;
struct AppContext;

/// Controls pruning: fraction, criterion, per layer or overall, with or without biases; and shows
/// the score of the pruned displayed network. All views follow, see ViewOptions::prune.
class PruningControl : public QWidget {
    Q_OBJECT
public:
    PruningControl(AppContext& context, QWidget* parent);

private:
    QWidget* buildShare();
    QWidget* buildChoices();
    void set(bool moving);   // what the controls say
    void refresh();          // the controls say what is set
    void ask();
    void notify(const credence::PrunedScores& scores);

    AppContext& m_context;
    QLabel* m_words;
    QSlider* m_share;
    QComboBox* m_by;
    QCheckBox* m_perLayer;
    QCheckBox* m_biases;
    QLabel* m_score;
    PruningPreview m_preview;   // last: its threads end first
};

class QSpinBox;

/// Weights: histograms, signal-to-noise, a single weight, the prior and the kernels; and the
/// pruning slider.
class WeightsDock : public QWidget {
    Q_OBJECT
public:
    WeightsDock(AppContext& context, ViewBinder& binder, QWidget* parent);

private:
    QSpinBox* buildWeight(AppContext& context, ViewBinder& binder);
};
