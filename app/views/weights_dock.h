// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/weights.h"
#include "work/worker.h"

#include <QObject>
#include <QTimer>
#include <QWidget>

#include <optional>

class QCheckBox;
class QComboBox;
class QLabel;
class QSlider;
class QSpinBox;
class ViewBinder;
struct AppContext;

/// Scores the displayed network with pruned weights: at the mean weights and some test rows while
/// the slider moves; afterwards on all rows, and then with weight samples.
class PruningPreview : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t liveRows = 2000;   ///< a network with two million weights is scored within 300 ms
    static constexpr int mostDraws        = 10;     ///< after the slider stops

    explicit PruningPreview(QObject* parent = nullptr);

    /// @param live  training is in progress: only the quick result, at low load
    /// @param target  whose RMSE is computed, of several
    void ask(const credence::RunSnapshot& run, const credence::PruneRule& rule, bool live, std::size_t target);
    void forget();   ///< Cancels the request.

signals:
    void scored(const credence::PrunedScores& scores);
    void failed(const QString& sentence);

private:
    struct Request {
        long number = 0;
        credence::RunSnapshot run;
        credence::PruneRule rule;
        std::size_t target = 0;
    };
    void askThoroughly();
    void notify(long number, const credence::PrunedScores& scores, bool thorough);

    std::optional<Request> m_newest;
    long m_number = 0, m_reported = 0;   // newest request and newest one with a full result
    QTimer m_rest;
    Worker m_quick{{.newer = Worker::Newer::waits_for_old, .rest = 9}};
    Worker m_thorough;   // last: their threads end first
};

/// Fills a dock with charts of weights and controls below them. While imported predictions are
/// displayed, a sentence replaces both, since they have no weights.
void layOutWeightCharts(QWidget* dock, QWidget* charts, QWidget* controls, ViewBinder& binder);

/// Controls pruning: fraction, criterion, per layer or overall, with or without biases; and shows
/// the score of the pruned displayed network. All views follow, see ViewOptions::prune.
class PruningControl : public QWidget {
    Q_OBJECT
public:
    PruningControl(AppContext& context, QWidget* parent);

private:
    QWidget* buildShare();
    QWidget* buildChoices();
    void set(bool moving);   // applies the controls
    void refresh();          // updates the controls
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

/// Weights: histograms, signal-to-noise, a single weight, the prior and the kernels; and the
/// pruning slider.
class WeightsDock : public QWidget {
    Q_OBJECT
public:
    WeightsDock(AppContext& context, ViewBinder& binder, QWidget* parent);

private:
    QSpinBox* buildWeight(AppContext& context, ViewBinder& binder);
};
