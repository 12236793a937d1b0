// SPDX-License-Identifier: GPL-3.0-or-later
// Points that change while a net is trained on.
#include "session/session.h"

#include "study/method.h"

using namespace credence;

bool Session::holdForPoints()
{
    if (m_onShow.trainsInBackground())
        return false;
    if (m_held.any())
        return true;
    const bool wasRunning = state() == State::running;
    if (!m_trainings.run() || !m_trainings.run()->keepsState() || m_trainsOther || changedSinceStart()
        || !method_of(study()).takes_new_points)
        return false;
    auto held = m_trainings.hold();
    if (!held)
        return false;
    m_onShow.stand(std::move(held->report));
    m_held.hold(run(), std::move(held->place), wasRunning);
    Q_EMIT stateChanged();
    return true;
}

/// The run whose points were changed ends here, and the one before their change stands again.
bool Session::undoPoints(const Study& study)
{
    if (!m_held.stood(study, this->study()))
        return false;
    if (m_held.any() && sameTraining(m_held.study(), study))
        return true;   // it stands yet
    const bool wasRunning = state() == State::running || m_held.wasRunning();
    stopRun(Keep::what_took_long);
    return m_held.bringBack(study, wasRunning);
}
