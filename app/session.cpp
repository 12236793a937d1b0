// SPDX-License-Identifier: GPL-3.0-or-later
#include "session.h"

#include "study/presets.h"

#include <QDateTime>

#include <algorithm>

using namespace credence;

namespace {

/// The same in all that data, start and training depend on? Names and the way of predicting may differ.
bool sameTraining(Study a, const Study& b)
{
    a.name       = b.name;
    a.note       = b.note;
    a.prediction = b.prediction;
    return a == b;
}

std::shared_ptr<const Snapshot> startOf(const Experiment& experiment)
{
    auto snapshot          = std::make_shared<Snapshot>();
    snapshot->posterior    = experiment.start;
    snapshot->point.layers = experiment.start->describe();
    return snapshot;
}

std::shared_ptr<const Experiment> withStudy(const std::shared_ptr<const Experiment>& experiment, const Study& study)
{
    auto copy   = std::make_shared<Experiment>(*experiment);
    copy->study = study;
    return copy;
}

}  // namespace

Session::Session(QObject* parent) : QObject(parent), m_study(default_study())
{
    m_maker = std::make_unique<ExperimentMaker>([this](ExperimentMaker::Answer answer) {
        QMetaObject::invokeMethod(this, [this, answer = std::move(answer)] { receive(answer); }, Qt::QueuedConnection);
    });
    m_request = m_maker->submit(m_study);
}

Session::~Session()
{
    if (m_run)
        m_run->requestStop();   // all first, then wait for each
}

Session::State Session::state() const
{
    if (m_run)
        return m_run->paused() ? State::paused : State::running;
    if (m_refused)
        return State::refused;
    if (!m_ready)
        return State::preparing;
    return m_report ? State::ended : State::ready;
}

bool Session::changedSinceStart() const
{
    return m_run && !sameTraining(m_study, m_run->experiment()->study);
}

void Session::prepareAgain()
{
    if (!m_refused)
        return;
    m_refused = false;
    m_request = m_maker->submit(m_study);
    Q_EMIT stateChanged();
}

void Session::setStudy(const Study& study)
{
    if (study == m_study)
        return;
    const bool retrain = !sameTraining(study, m_study);
    m_study = study;
    if (!retrain && m_ready && sameTraining(m_study, m_ready->study)) {
        m_ready = withStudy(m_ready, m_study);
        if (m_shown && sameTraining(m_study, m_shown->study)) {
            m_shown = withStudy(m_shown, m_study);
            Q_EMIT studyChanged();
            Q_EMIT studyAccepted();
            Q_EMIT momentChanged();
            return;
        }
    }
    m_ready.reset();
    m_refused = false;
    m_request = m_maker->submit(m_study);
    Q_EMIT studyChanged();
    Q_EMIT stateChanged();
}

void Session::receive(ExperimentMaker::Answer answer)
{
    if (answer.request != m_request)
        return;   // a late answer to an old question
    const auto next = std::exchange(m_onceReady, OnceReady::nothing);
    if (!answer.experiment) {
        m_refused = true;
        Q_EMIT studyRefused(QString::fromStdString(answer.field), QString::fromStdString(answer.sentence));
        Q_EMIT stateChanged();
        return;
    }
    m_refused = false;
    m_ready   = answer.experiment;
    Q_EMIT studyAccepted();
    if (!m_run)
        showFresh();
    if (next != OnceReady::nothing) {
        stopRun();
        start(next == OnceReady::step);
    }
    Q_EMIT stateChanged();
}

void Session::showFresh()
{
    m_shown    = m_ready;
    m_recorder = SnapshotRecorder{};
    m_history.clear();
    m_newest = startOf(*m_ready);
    m_at     = -1;
    m_progress.reset();
    m_report.reset();
    Q_EMIT recordedChanged();
    Q_EMIT momentChanged();
}

RunMoment Session::moment() const
{
    if (!m_shown)
        return {};
    auto snapshot = m_at >= 0 ? recorded()[static_cast<std::size_t>(m_at)] : m_newest;
    auto history  = std::make_shared<TrainingHistory>();
    for (const auto& point : m_history)
        if (point.step <= snapshot->point.step)
            history->push_back(point);
    if (history->empty() || history->back().step < snapshot->point.step)
        history->push_back(snapshot->point);
    return {m_shown, snapshot, history};
}

void Session::train()
{
    if (m_run) {
        m_run->resume();
        m_at = -1;
        Q_EMIT recordedChanged();
        Q_EMIT stateChanged();
    } else if (m_ready) {
        start(false);
    } else if (!m_refused) {
        m_onceReady = OnceReady::train;
    }
}

void Session::pause()
{
    if (m_run) {
        m_run->pause();
        Q_EMIT stateChanged();
        Q_EMIT momentChanged();   // still pictures are drawn in full quality
    }
}

void Session::stepOnce()
{
    if (!m_run) {
        if (m_ready)
            start(true);   // makes the first step
        else if (!m_refused)
            m_onceReady = OnceReady::step;
        return;
    }
    if (!m_run->paused())
        m_run->pause();
    m_at = -1;
    m_run->stepOnce();
    Q_EMIT recordedChanged();
    Q_EMIT stateChanged();
}

void Session::restart()
{
    if (m_ready) {
        stopRun();
        start(false);
    } else if (!m_refused) {
        m_onceReady = OnceReady::train;
    }
}

void Session::cancel()
{
    m_onceReady = OnceReady::nothing;
    if (!m_run)
        return;
    stopRun();
    Q_EMIT stateChanged();
    Q_EMIT momentChanged();
}

void Session::start(bool paused)
{
    showFresh();
    m_started        = QDateTime::currentDateTime().toString(Qt::ISODate).toStdString();
    const int number = ++m_runNumber;
    m_run = std::make_unique<TrainingRun>(m_ready, paused, [this, number] {
        QMetaObject::invokeMethod(this, [this, number] { receiveMail(number); }, Qt::QueuedConnection);
    });
    if (paused)
        m_run->stepOnce();
    Q_EMIT stateChanged();
}

/// Ends the run at once for all that can be seen: it is kept with what it had told so far. Its thread ends by itself, at most one step later.
void Session::stopRun()
{
    if (!m_run)
        return;
    m_run->requestStop();
    TrainingReport report;
    report.stop    = StopReason::cancelled;
    report.steps   = m_newest->point.step;
    report.seconds = m_newest->point.seconds;
    report.message = sentence_of(StopReason::cancelled);
    report.last    = m_newest;
    m_ending.emplace_back(m_runNumber, std::move(m_run));
    finish(std::move(report));
}

void Session::receiveMail(int run)
{
    const auto old = std::find_if(m_ending.begin(), m_ending.end(), [run](const auto& e) { return e.first == run; });
    if (old != m_ending.end()) {
        if (old->second->takeMail().report)
            m_ending.erase(old);
        return;
    }
    if (!m_run || run != m_runNumber)
        return;
    auto mail = m_run->takeMail();
    for (auto& snapshot : mail.recorded) {
        m_history.push_back(snapshot->point);
        if (!m_newest || snapshot->point.step >= m_newest->point.step)
            m_newest = snapshot;
        // The view stays on the step that the user chose, also when the recorder thins what it holds.
        const auto shown = m_at >= 0 ? recorded()[static_cast<std::size_t>(m_at)] : nullptr;
        m_recorder.add(std::move(snapshot));
        if (shown) {
            const auto& all = recorded();
            const auto  at  = std::find_if(all.begin(), all.end(), [&](const auto& s) { return s->point.step >= shown->point.step; });
            m_at = static_cast<int>(at - all.begin());
        }
    }
    if (mail.newest && mail.newest->point.step >= m_newest->point.step)
        m_newest = mail.newest;
    if (mail.progress) {
        m_progress = mail.progress;
        Q_EMIT progressed();
    }
    if (!mail.recorded.empty())
        Q_EMIT recordedChanged();
    if (mail.report) {
        m_ending.emplace_back(m_runNumber, std::move(m_run));
        m_ending.pop_back();   // the thread has nothing more to do than return
        finish(std::move(*mail.report));
        Q_EMIT stateChanged();
        Q_EMIT momentChanged();
    } else if (m_at < 0 && (mail.newest || !mail.recorded.empty())) {
        Q_EMIT momentChanged();
    }
}

void Session::finish(TrainingReport report)
{
    if (report.last)
        m_newest = report.last;
    m_report = report;
    Q_EMIT recordedChanged();
    if (report.steps <= 0)
        return;
    auto kept       = std::make_shared<KeptRun>();
    kept->name      = m_shown->study.name;
    kept->started   = m_started;
    kept->study     = m_shown->study;
    kept->report    = std::move(report);
    kept->history   = m_history;
    kept->snapshots = recorded();
    if (kept->snapshots.empty() || kept->snapshots.back()->point.step < m_newest->point.step) {
        kept->snapshots.push_back(m_newest);
        kept->history.push_back(m_newest->point);
    }
    Q_EMIT runEnded(m_shown, kept);
}

bool Session::showRun(std::shared_ptr<const Experiment> experiment, const KeptRun& run)
{
    if (m_run || run.snapshots.empty())
        return false;
    m_shown    = std::move(experiment);
    m_history  = run.history;
    m_recorder = SnapshotRecorder{};
    for (const auto& snapshot : run.snapshots)
        m_recorder.add(snapshot);
    m_newest = run.snapshots.back();
    m_at     = -1;
    m_progress.reset();
    m_report = run.report;
    Q_EMIT recordedChanged();
    Q_EMIT stateChanged();
    Q_EMIT momentChanged();
    return true;
}

void Session::showRecorded(int index)
{
    const int last = static_cast<int>(recorded().size()) - 1;
    const int at   = index < 0 || index > last || (index == last && !active()) ? -1 : index;
    if (at == m_at)
        return;
    m_at = at;
    Q_EMIT recordedChanged();
    Q_EMIT momentChanged();
}
