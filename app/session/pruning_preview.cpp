// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/pruning_preview.h"

#include "runs/pruned_snapshot.h"

#include <algorithm>

using namespace credence;

PruningPreview::PruningPreview(QObject* parent) : QObject(parent)
{
    m_rest.setSingleShot(true);
    m_rest.setInterval(400);
    connect(&m_rest, &QTimer::timeout, this, &PruningPreview::askThoroughly);
    for (auto* worker : {&m_quick, &m_thorough})
        connect(worker, &Worker::failed, this,
                [this](const QString&, const QString& sentence) { Q_EMIT failed(sentence); });
}

void PruningPreview::ask(const RunSnapshot& run, const PruneRule& rule, bool live)
{
    if (!run.experiment || !run.snapshot) {
        forget();
        return;
    }
    m_newest = Request{++m_number, run, rule};
    m_thorough.cancel();
    if (live)
        m_rest.stop();
    else
        m_rest.start();
    m_quick.submit(
        [this, request = *m_newest](std::stop_token stop, Worker::Progress&) -> Worker::Show {
            const auto scores = pruned_scores(request.run, request.rule, 0, liveRows, std::move(stop));
            if (!scores)
                return {};
            return [this, number = request.number, scores] { notify(number, *scores, false); };
        },
        Worker::Newer::waits_for_old, live ? Worker::Pace::rested : Worker::Pace::at_once);
}

void PruningPreview::askThoroughly()
{
    if (!m_newest)
        return;
    m_thorough.submit([this, request = *m_newest](std::stop_token stop, Worker::Progress& progress) -> Worker::Show {
        const auto at_means = pruned_scores(request.run, request.rule, 0, 0, stop);
        if (!at_means)
            return {};
        progress.show([this, number = request.number, at_means] { notify(number, *at_means, true); });
        const auto& experiment  = *request.run.experiment;
        const bool draws_differ = request.run.snapshot->posterior->has_weight_noise()
                                  || experiment.model.dropout_at_prediction;
        if (!draws_differ)
            return {};
        const auto drawn = pruned_scores(request.run, request.rule,
                                         std::min(mostDraws, experiment.study.prediction.samples), 0, stop);
        if (!drawn)
            return {};
        return [this, number = request.number, drawn] { notify(number, *drawn, true); };
    });
}

/// A quick result never replaces a full one for the same or a later request.
void PruningPreview::notify(long number, const PrunedScores& scores, bool thorough)
{
    if (!m_newest || (!thorough && number <= m_reported))
        return;
    if (thorough)
        m_reported = number;
    Q_EMIT scored(scores);
}

void PruningPreview::forget()
{
    m_newest.reset();
    m_rest.stop();
    m_quick.cancel();
    m_thorough.cancel();
}
