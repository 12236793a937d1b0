// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "work/worker.h"

#include "views/pruning_curve.h"

#include <QObject>
#include <QTimer>

#include <optional>

/// Scores the displayed network with pruned weights: at the mean weights and some test rows while
/// the slider moves; afterwards on all rows, and then with weight samples.
class PruningPreview : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t liveRows = 2000;   ///< a network with two million weights is scored within 300 ms
    static constexpr int mostDraws        = 10;     ///< after the slider stops

    explicit PruningPreview(QObject* parent = nullptr);

    /// @param live  training is in progress: only the quick result, at low load
    void ask(const credence::RunSnapshot& run, const credence::PruneRule& rule, bool live);
    void forget();   ///< Cancels the request.

signals:
    void scored(const credence::PrunedScores& scores);
    void failed(const QString& sentence);

private:
    struct Request {
        long number = 0;
        credence::RunSnapshot run;
        credence::PruneRule rule;
    };
    void askThoroughly();
    void notify(long number, const credence::PrunedScores& scores, bool thorough);

    std::optional<Request> m_newest;
    long m_number = 0, m_reported = 0;   // newest request and newest one with a full result
    QTimer m_rest;
    Worker m_quick{{.newer = Worker::Newer::waits_for_old, .rest = 9}};
    Worker m_thorough;   // last: their threads end first
};
