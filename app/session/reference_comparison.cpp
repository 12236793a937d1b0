// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/reference_comparison.h"

#include "session/run_opener.h"
#include "session/saved_runs.h"
#include "work/text.h"
#include "work/worker.h"

#include "study/names.h"

using namespace credence;

ReferenceComparison::ReferenceComparison(Session& session, SavedRuns& runs, RunOpener& opener, QObject* parent)
    : QObject(parent), m_session(session), m_runs(runs), m_opener(opener)
{
    connect(&session.currentRun(), &CurrentRun::runEnded, this,
            [this](const std::shared_ptr<const Experiment>& experiment, const std::shared_ptr<SavedRun>& run) {
        recordFinished(experiment->study, *run);
    });
    connect(&session, &Session::trainingFailed, this, [this] { m_failed = m_training; });
    connect(&session, &Session::stateChanged, this, &ReferenceComparison::followState);
}

void ReferenceComparison::begin(const MethodComparison& comparison)
{
    if (m_active || m_session.active()) {
        Q_EMIT notified(tr("A run is in progress. Cancel it or wait before comparing with the reference."));
        return;
    }
    m_active    = true;
    m_cancelled = m_training = m_failed = false;
    m_studies.clear();
    m_done.clear();
    m_broken.clear();
    m_next           = 0;
    m_progress       = {};
    m_progress.title = toQString(comparison.title);
    Q_EMIT progressed();
    inBackground(
        this, [studies = comparison.studies] { return studies(); },
        [this, number = ++m_comparison](const std::optional<std::vector<Study>>& studies, const QString& mistake) {
        if (!m_active || number != m_comparison)
            return;
        if (!studies) {
            Q_EMIT warned(mistake);
            finish();
            return;
        }
        setStudies(*studies);
        });
}

void ReferenceComparison::setStudies(const std::vector<Study>& studies)
{
    m_studies        = studies;
    m_progress.count = static_cast<int>(studies.size());
    trainNext();
}

void ReferenceComparison::cancel()
{
    if (!m_active)
        return;
    m_cancelled = true;
    if (m_training)
        m_session.stop();   // reports its end, which starts the next run
    else
        finish();
}

std::shared_ptr<SavedRunEntry> ReferenceComparison::keptRunOf(const Study& study) const
{
    for (int row = 0; row < m_runs.rowCount(); ++row) {
        const auto& run = m_runs.at(row)->run;
        if (run.report.stop == StopReason::steps_done && same_run(run.study, study))
            return m_runs.at(row);
    }
    return nullptr;
}

void ReferenceComparison::trainNext()
{
    for (; m_next < m_studies.size(); ++m_next) {
        const auto kept = keptRunOf(m_studies[m_next]);
        if (!kept) {
            train(m_studies[m_next]);
            return;
        }
        m_done.push_back(kept);
    }
    finish();
}

void ReferenceComparison::train(const Study& study)
{
    m_progress.now    = toQString(family_title(study.posterior.family));
    m_progress.number = static_cast<int>(m_next) + 1;
    Q_EMIT progressed();
    inBackground(
        this, [study](std::stop_token stop) { return prepare(study, std::move(stop)); },
        [this, number = m_comparison](const std::optional<std::shared_ptr<const Experiment>>& ready,
                                      const QString& mistake) {
        if (!m_active || number != m_comparison)
            return;
        if (!ready || !*ready) {
            Q_EMIT warned(mistake);
            finish();
            return;
        }
        m_failed = m_reported = false;
        m_training            = true;
        if (!m_session.trainOther(*ready)) {   // training was started in the meantime
            m_training = false;
            finish();
        }
        });
}

/// It has been saved and is first in the list.
void ReferenceComparison::recordFinished(const Study& study, const SavedRun& run)
{
    if (!m_training || !same_run(study, m_studies[m_next]))
        return;
    m_reported = true;
    if (run.report.stop == StopReason::steps_done)
        m_done.push_back(m_runs.at(0));
    else if (run.report.stop == StopReason::cancelled)
        m_cancelled = true;   // unless an error ended it, which is reported next
    else
        m_broken.push_back(run.name);
}

/// A finished or replaced run leads to the next one, but deferred, so that other listeners handle
/// its end first.
void ReferenceComparison::followState()
{
    const auto& shown = m_session.currentRun().training().experiment;
    const bool mine   = m_training && shown && same_run(shown->study, m_studies[m_next]);
    if (!m_training || (m_session.active() && mine))
        return;
    m_training = false;
    if (std::exchange(m_failed, false)) {
        m_cancelled = false;
        m_broken.push_back(m_studies[m_next].name);
    } else if (!m_reported) {   // cancelled before its first step: not saved
        m_cancelled = true;
    }
    const bool ends = m_cancelled || m_session.active();
    ++m_next;
    QMetaObject::invokeMethod(
        this,
        [this, ends, number = m_comparison] {
        if (!m_active || number != m_comparison)
            return;
        if (ends || m_session.active())
            finish();
        else
            trainNext();
        },
        Qt::QueuedConnection);
}

void ReferenceComparison::finish()
{
    m_active = false;
    if (!m_done.empty())
        m_runs.checkOnly(m_done);
    const bool shown = !m_done.empty() && !m_session.active() && same_run(m_done.front()->run.study, m_studies.front());
    if (shown)
        m_opener.show(m_runs.rowOf(*m_done.front()));
    m_progress = {};
    Q_EMIT progressed();
    QString broken;
    for (const auto& name : m_broken)
        broken += (broken.isEmpty() ? QString() : QStringLiteral(", ")) + toQString(name);
    if (!broken.isEmpty())
        Q_EMIT warned(tr("These runs did not finish and are omitted: %1.").arg(broken));
    Q_EMIT finished(shown);
}
