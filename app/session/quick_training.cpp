// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/quick_training.h"

#include "session/run_queue.h"
#include "session/saved_runs.h"
#include "session/session.h"
#include "work/text.h"

#include "runs/comparison.h"

#include <algorithm>
#include <utility>

using namespace credence;

QuickTraining::QuickTraining(Session& session, SavedRuns& runs, RunQueue& queue, QObject* parent)
    : QObject(parent), m_session(session), m_runs(runs), m_queue(queue)
{
    connect(&session.currentRun(), &CurrentRun::runEnded, this,
            [this](const std::shared_ptr<const Experiment>& experiment, const std::shared_ptr<SavedRun>& run) {
        takeRun(experiment->study, *run);
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
void QuickTraining::takeRun(const Study& study, const SavedRun& run)
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
