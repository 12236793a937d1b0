// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run_queue.h"

#include "runs/comparison.h"
#include "session/reference_comparison.h"
#include "session/saved_runs.h"
#include "session/session.h"
#include "study/fields.h"
#include "work/text.h"

#include <algorithm>
#include <utility>

using namespace credence;

RunQueue::RunQueue(Session& session, const ReferenceComparison& reference, QObject* parent)
    : QObject(parent), m_session(session), m_reference(reference)
{
    connect(&session, &Session::stateChanged, this, &RunQueue::startLater);
    connect(&reference, &ReferenceComparison::finished, this, &RunQueue::startLater);
    connect(&m_maker, &Worker::failed, this, [this](const QString&, const QString& sentence) {
        const QString name = toQString(m_waiting.front().name);
        m_waiting.erase(m_waiting.begin());
        Q_EMIT failed(tr("%1 was not trained: %2").arg(name, sentence));
        Q_EMIT changed();
        startLater();
    });
}

bool RunQueue::canAdd() const
{
    if (m_session.state() != Session::State::running || m_reference.active() || m_session.ready().refused()
        || m_session.displaysSaved())
        return false;
    const auto& study    = m_session.study();
    const auto& training = m_session.currentRun().training().experiment;
    const bool trained   = m_session.currentRun().trainsInBackground() && m_session.showsStudy()
                         && m_session.run().report;
    return training && !trained && study.data.changes.empty() && !sameTraining(study, training->study)
           && std::ranges::none_of(m_waiting, [&](const Study& one) { return sameTraining(one, study); });
}

void RunQueue::add()
{
    m_waiting.push_back(m_session.study());
    Q_EMIT notified(tr("%1 trains after the current run.").arg(toQString(m_waiting.back().name)));
    Q_EMIT changed();
    startLater();   // the run may have ended in the meantime
}

void RunQueue::add(const std::vector<Study>& studies)
{
    for (const auto& study : studies)
        if (std::ranges::none_of(m_waiting, [&](const Study& one) { return sameTraining(one, study); }))
            m_waiting.push_back(study);
    Q_EMIT changed();
    startLater();
}

void RunQueue::remove(int index)
{
    if (index == 0)
        m_maker.cancel();   // it may be in preparation
    m_waiting.erase(m_waiting.begin() + index);
    Q_EMIT changed();
    startLater();
}

void RunQueue::move(int from, int to)
{
    if (from == to)
        return;
    if (from == 0 || to == 0)
        m_maker.cancel();
    const Study study = m_waiting.at(static_cast<std::size_t>(from));
    m_waiting.erase(m_waiting.begin() + from);
    m_waiting.insert(m_waiting.begin() + to, study);
    Q_EMIT changed();
    startLater();
}

void RunQueue::clear()
{
    m_maker.cancel();
    m_waiting.clear();
    Q_EMIT changed();
}

QStringList RunQueue::differences(int index) const
{
    QStringList lines;
    if (const auto& training = m_session.currentRun().training().experiment)
        for (const auto& line : credence::differences(training->study, m_waiting.at(static_cast<std::size_t>(index))))
            lines << toQString(line);
    return lines;
}

/// Deferred, so that other listeners handle the end of a run first.
void RunQueue::startLater()
{
    if (!m_waiting.empty())
        QMetaObject::invokeMethod(this, &RunQueue::startNext, Qt::QueuedConnection);
}

bool RunQueue::mayStart() const
{
    return !m_waiting.empty() && !m_session.active() && !m_session.startsOnceReady() && !m_reference.active();
}

void RunQueue::startNext()
{
    if (!mayStart() || m_maker.busy())
        return;
    const Study study = m_waiting.front();
    const auto& ready = m_session.ready();
    if (sameTraining(study, m_session.study()) && !ready.refused()) {
        if (ready.experiment())   // else it is being prepared
            train(study);
        return;
    }
    m_maker.submit([this, study, like = ready.experiment()](std::stop_token stop, Worker::Progress&) -> Worker::Show {
        auto made = like ? prepare_on_data_of(*like, study) : nullptr;
        if (!made)
            made = prepare(study, std::move(stop));
        if (!made)
            return {};   // stopped
        return [this, study, made = std::move(made)] {
            if (!mayStart())
                return;   // another run has been started; the Study waits for its end
            m_waiting.erase(m_waiting.begin());
            m_session.trainOther(made, Session::Place::background);
            Q_EMIT notified(tr("%1 trains in the background.").arg(toQString(study.name)));
            Q_EMIT changed();
        };
    });
}

/// The Study under edit.
void RunQueue::train(const Study& study)
{
    m_waiting.erase(m_waiting.begin());
    if (m_session.finished()) {   // the user has trained it in the meantime
        startLater();
    } else if (m_session.displaysSaved()) {
        m_session.trainOther(m_session.ready().experiment(), Session::Place::background);
        Q_EMIT notified(tr("%1 trains in the background.").arg(toQString(study.name)));
    } else {
        m_session.train();
        Q_EMIT notified(tr("%1 is in training.").arg(toQString(study.name)));
    }
    Q_EMIT changed();
}

QuickTraining::QuickTraining(Session& session, SavedRuns& runs, RunQueue& queue, QObject* parent)
    : QObject(parent), m_session(session), m_runs(runs), m_queue(queue)
{
    connect(&session.currentRun(), &CurrentRun::runEnded, this,
            [this](const std::shared_ptr<const Experiment>& experiment, const std::shared_ptr<SavedRun>& run) {
        recordFinished(experiment->study, *run);
    });
    connect(&session, &Session::stateChanged, this, &QuickTraining::checkLater);
    connect(&queue, &RunQueue::changed, this, &QuickTraining::checkLater);
}

std::shared_ptr<SavedRunEntry> QuickTraining::finishedRunOf(const Study& study) const
{
    for (int row = 0; row < m_runs.rowCount(); ++row) {
        const auto& run = m_runs.at(row)->run;
        if (run.report.stop == StopReason::steps_done && same_run(run.study, study))
            return m_runs.at(row);
    }
    return nullptr;
}

void QuickTraining::begin(const std::vector<Study>& studies)
{
    if (!active())
        m_done.clear();
    const auto& training = m_session.active() ? m_session.currentRun().training().experiment : nullptr;
    std::vector<Study> missing;
    for (const auto& study : studies) {
        if (auto run = finishedRunOf(study)) {
            m_done.push_back(std::move(run));
            continue;
        }
        m_waiting.push_back(study);
        if (!training || !same_run(training->study, study))
            missing.push_back(study);
    }
    m_queue.add(missing);
    checkLater();
}

/// It has been saved and is first in the list. A Study trained under its own name gets that of its method.
void QuickTraining::recordFinished(const Study& study, const SavedRun& run)
{
    const auto found = std::ranges::find_if(m_waiting, [&](const Study& one) { return same_run(one, study); });
    if (found == m_waiting.end())
        return;
    if (run.report.stop != StopReason::cancelled) {
        m_done.push_back(m_runs.at(0));
        if (run.name != found->name)
            m_runs.setData(m_runs.index(0, SavedRuns::name), toQString(found->name), Qt::EditRole);
    }
    m_waiting.erase(found);
}

/// Deferred, so that other listeners handle the end of a run first.
void QuickTraining::checkLater()
{
    if (active() || !m_done.empty())
        QMetaObject::invokeMethod(this, &QuickTraining::check, Qt::QueuedConnection);
}

/// Studies that were removed from the queue, or could not be trained, are no longer awaited.
void QuickTraining::check()
{
    const auto& training = m_session.active() ? m_session.currentRun().training().experiment : nullptr;
    std::erase_if(m_waiting, [&](const Study& one) {
        const auto isIt = [&](const Study& other) { return same_run(one, other); };
        return std::ranges::none_of(m_queue.waiting(), isIt) && !(training && isIt(training->study))
               && !m_session.startsOnceReady();
    });
    if (active() || m_done.empty())
        return;
    const auto done = std::exchange(m_done, {});
    m_runs.checkOnly(done);
    Q_EMIT finished(static_cast<int>(done.size()));
}
