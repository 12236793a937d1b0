// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/session.h"

#include "study/method.h"

#include <algorithm>

using namespace credence;

namespace {

/// Limits on the states that undo and redo can restore
constexpr std::size_t mostBefore = 20, mostBytes = std::size_t{256} << 20;

std::size_t sizeOf(const CheckpointSlot::Files& files)
{
    std::size_t bytes = 0;
    for (const auto& [name, content] : files)
        bytes += content.size();
    return bytes;
}

}   // namespace

bool isSameUntil(const Study& before, const Study& after, long step)
{
    const auto& then = before.data.changes;
    const auto& now  = after.data.changes;
    if (then.size() > now.size() || !std::equal(then.begin(), then.end(), now.begin())
        || (now.size() > then.size() && now[then.size()].step < step))
        return false;
    Study same        = before;
    same.data.changes = now;
    return sameTraining(std::move(same), after);
}

void PausedRuns::hold(DisplayedRun shown, LeftRun left, bool wasRunning)
{
    if (left.files)   // otherwise undo restores only the points
        remember(shown, std::move(left.files));
    m_paused.emplace(PausedRun{std::move(shown), {std::move(left.place), nullptr}, wasRunning});
}

void PausedRuns::remember(DisplayedRun shown, std::shared_ptr<const CheckpointSlot::Files> files)
{
    m_before.push_back({std::move(shown), std::move(files)});
    std::size_t bytes = 0;
    auto oldest       = m_before.end();
    while (oldest != m_before.begin() && m_before.end() - oldest < static_cast<std::ptrdiff_t>(mostBefore)
           && (bytes += sizeOf(*std::prev(oldest)->files)) <= mostBytes)
        --oldest;
    m_before.erase(m_before.begin(), oldest);
}

bool PausedRuns::wasHeld(const Study& study, const Study& now) const
{
    Study same        = study;
    same.data.changes = now.data.changes;
    return study.data.changes != now.data.changes && sameTraining(std::move(same), now)
           && std::any_of(m_before.begin(), m_before.end(),
                          [&](const Before& one) { return sameTraining(study, one.shown.experiment->study); });
}

bool PausedRuns::restore(const Study& study, bool wasRunning)
{
    const auto found = std::find_if(m_before.rbegin(), m_before.rend(), [&](const Before& one) {
        return sameTraining(study, one.shown.experiment->study);
    });
    auto place       = found == m_before.rend() ? nullptr : CheckpointSlot::free();
    if (!place)
        return false;
    drop();
    m_paused.emplace(PausedRun{found->shown, {std::move(place), found->files}, wasRunning});
    return true;
}

const DisplayedRun* PausedRuns::pausedRunOf(const Study& study) const
{
    return m_paused && isSameUntil(this->study(), study, step()) ? &m_paused->shown : nullptr;
}

LeftRun PausedRuns::handOver()
{
    LeftRun left = std::move(m_paused->left);
    m_paused.reset();
    return left;
}

void PausedRuns::drop()
{
    if (m_paused)
        m_paused->left.place->clear();
    m_paused.reset();
}

QString PausedRuns::release()
{
    if (!m_paused)
        return {};
    const auto left = std::move(m_paused->left);
    m_paused.reset();
    try {
        if (left.files)
            left.place->write(*left.files);
    } catch (const std::exception&) {
        left.place->clear();
        return {};
    }
    return left.place->name();
}

// Points that change during training.

bool Session::holdForPoints()
{
    if (m_currentRun.trainsInBackground() || m_paused.any() || m_trainings.holding() || !m_trainings.run()
        || !m_trainings.run()->keepsState() || m_trainsOther || changedSinceStart()
        || !method_of(study()).training.accepts_new_points)
        return false;
    m_runsOnceHeld = state() == State::running;
    m_trainings.hold();
    Q_EMIT stateChanged();
    return true;
}

void Session::storeHeldRun(const TrainingReport& report, LeftRun& left)
{
    m_currentRun.showTraining();   // what is edited must be displayed
    m_currentRun.holdWithReport(report);
    m_paused.hold(run(), std::move(left), m_runsOnceHeld);
    Q_EMIT stateChanged();
    Q_EMIT holdEnded();
}

/// The caller finishes first, then waiting strokes are applied.
void Session::endHoldLater() { QMetaObject::invokeMethod(this, &Session::holdEnded, Qt::QueuedConnection); }

/// Ends and saves the run whose points changed, and restores the held run with the points of this
/// Study.
bool Session::undoPoints(const Study& study)
{
    if (!m_paused.wasHeld(study, this->study()))
        return false;
    if (m_paused.any() && sameTraining(m_paused.study(), study))
        return true;   // still held
    const bool wasRunning = state() == State::running || m_paused.wasRunning();
    if (auto* training = m_trainings.run(); training && training->keepsState() && !m_trainings.holding()
                                            && !m_currentRun.trainsInBackground() && showsStudy()) {
        m_leaving.push_back({run()});   // redo restores it
        m_leaving.back().run.experiment = training->experiment();
    }
    stopRun(Keep::what_took_long);
    return m_paused.restore(study, wasRunning);
}

/// @param left  null: it finished by itself
void Session::storeUnfinished(const Experiment& trained, const TrainingReport& report, LeftRun* left)
{
    const auto found = std::find_if(m_leaving.begin(), m_leaving.end(),
                                    [&](const Leaving& one) { return one.run.experiment.get() == &trained; });
    bool kept        = true;   // stopped while held
    if (found != m_leaving.end()) {
        kept = found->kept;
        if (left && left->files) {
            found->run.end(report);
            m_paused.remember(std::move(found->run), left->files);
        }
        m_leaving.erase(found);
    }
    if (!left)
        return;
    const QString place = left->place->name();
    if (!kept)
        left->place->clear();
    left->place.reset();
    if (kept)
        Q_EMIT m_trainings.stopped(place);
}
