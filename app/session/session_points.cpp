// SPDX-License-Identifier: GPL-3.0-or-later
// Points that change during training.
#include "session/session.h"

#include "study/method.h"

#include <algorithm>

using namespace credence;

bool Session::holdForPoints()
{
    if (m_currentRun.trainsInBackground() || m_paused.any() || m_trainings.holding() || !m_trainings.run()
        || !m_trainings.run()->keepsState() || m_trainsOther || changedSinceStart()
        || !method_of(study()).takes_new_points)
        return false;
    m_runsOnceHeld = state() == State::running;
    m_trainings.hold();
    Q_EMIT stateChanged();
    return true;
}

void Session::takeHeld(const TrainingReport& report, LeftRun& left)
{
    m_currentRun.showTraining();   // what is edited must be displayed
    m_currentRun.stand(report);
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
    if (!m_paused.stood(study, this->study()))
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
    return m_paused.bringBack(study, wasRunning);
}

/// @param left  null: it finished by itself
void Session::takeLeftBehind(const Experiment& trained, const TrainingReport& report, LeftRun* left)
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
