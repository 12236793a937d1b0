// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/session.h"

#include "work/text.h"

#include "foundation/build_info.h"
#include "foundation/error.h"
#include "runs/changed_points.h"
#include "study/method.h"
#include "study/presets.h"

#include <QDateTime>

using namespace credence;

namespace {

/// Returns the Study of imported predictions with the level α of another Study, which determines
/// the predictions that count as certain.
Study atLevelOf(const Study& study, Study outputs)
{
    outputs.prediction.level = study.prediction.level;
    return outputs;
}

}   // namespace

Session::Session(QObject* parent, TrainingRun::Train train)
    : QObject(parent), m_trainings(std::move(train)), m_ready(default_study())
{
    connect(&m_ready, &PreparedStudy::begun, this, &Session::stateChanged);
    connect(&m_ready, &PreparedStudy::made, this, &Session::receive);
    connect(&m_ready, &PreparedStudy::failed, this, [this](const QString& field, const QString& sentence) {
        m_onceReady = OnceReady::nothing;
        m_trainings.pauseNextAt(0);
        Q_EMIT studyRefused(field, sentence);
        Q_EMIT stateChanged();
    });
    connect(&m_trainings, &Trainings::ended, this,
            [this](const std::shared_ptr<const Experiment>& trained, const TrainingRun::Update& update) {
        finishRun(*trained, update);
    });
    connect(&m_trainings, &Trainings::stopped, this, [this](const QString& place) {
        Q_EMIT runStopped(place);
        if (m_currentRun.setStateKept(place))
            Q_EMIT stateChanged();
    });
    connect(&m_trainings, &Trainings::leftUnfinished, this,
            [this](const std::shared_ptr<const Experiment>& trained, const TrainingReport& report,
                   const std::shared_ptr<LeftRun>& left) { storeUnfinished(*trained, report, left.get()); });
    connect(&m_trainings, &Trainings::held, this,
            [this](const TrainingReport& report, const std::shared_ptr<LeftRun>& left) {
        storeHeldRun(report, *left);
    });
    connect(&m_trainings, &Trainings::reported, this, [this](const TrainingRun::Update& update) {
        for (const auto& sentence : update.reported)
            Q_EMIT trainingReported(toQString(sentence));
        if (const auto* training = m_trainings.run(); training && training->paused())
            Q_EMIT stateChanged();   // training may have paused by itself
    });
    connect(&m_currentRun, &CurrentRun::fitRequested, this, &Session::stateChanged);
    connect(&m_currentRun, &CurrentRun::fitFailed, this, &Session::studyRefused);
    connect(&m_currentRun, &CurrentRun::snapshotChanged, this, &Session::snapshotChanged);
    connect(&m_currentRun, &CurrentRun::recordedChanged, this, &Session::recordedChanged);
    m_ready.make();
}

// Requests all stops before waiting for the first.
Session::~Session() { m_trainings.requestStop(); }

Session::State Session::state() const
{
    if (m_trainings.holding())
        return State::paused;
    if (const auto* training = m_trainings.run())
        return training->paused() ? State::paused : State::running;
    if (m_paused.any())
        return State::paused;
    if (m_ready.refused())
        return State::refused;
    if (!m_ready.experiment())
        return State::preparing;
    return run().report ? State::ended : State::ready;
}

bool Session::changedSinceStart() const
{
    return m_trainings.run() && !m_trainsOther && !sameTraining(study(), m_trainings.run()->experiment()->study);
}

void Session::setStudy(const Study& study)
{
    if (study == this->study())
        return;
    if (undoPoints(study))
        m_onceReady = m_paused.wasRunning() ? OnceReady::train : OnceReady::nothing;
    else if (m_paused.any() && !m_paused.pausedRunOf(study))
        stopRun(Keep::what_took_long);
    m_savedOpen = false;
    if (!trainsApart())
        m_currentRun.showTraining();   // the edited Study must be displayed
    if (!sameTraining(study, this->study()))
        m_currentRun.remember();
    if (m_ready.take(study)) {
        if (const auto misfit = m_ready.misfit()) {   // the displayed run stays
            Q_EMIT studyChanged();
            Q_EMIT studyRefused(toQString(misfit->field()), toQString(misfit->what()));
            Q_EMIT stateChanged();
            return;
        }
        const bool ofOutputs = !showsStudy() && run().ofOutputs();
        if (showsStudy() || ofOutputs) {   // imported predictions stay displayed, with the level of the Study
            const bool refit = m_currentRun.applyStudy(ofOutputs ? atLevelOf(this->study(), run().experiment->study)
                                                                 : this->study());
            Q_EMIT studyChanged();
            Q_EMIT studyAccepted();
            Q_EMIT stateChanged();
            m_currentRun.followStudy(refit && !ofOutputs);
            return;
        }
    }
    m_shownFirst = false;
    m_ready.make();
    Q_EMIT studyChanged();
    Q_EMIT stateChanged();
}

void Session::receive()
{
    const auto next  = std::exchange(m_onceReady, OnceReady::nothing);
    const bool shown = std::exchange(m_shownFirst, false);
    if (next == OnceReady::restart && !study().data.changes.empty())
        return restart();
    const auto* paused = m_paused.pausedRunOf(study());
    const bool idle    = !active() || trainsApart();
    if (next != OnceReady::restart && !paused && !m_currentRun.remembered(study()))
        m_ready.continueFromRun(run());
    Q_EMIT studyAccepted();
    if (paused && !shown) {   // the same network with the current points
        auto resumed       = *paused;
        resumed.experiment = m_ready.experiment();
        resumed.report.reset();
        m_currentRun.begin(std::move(resumed));
    } else if (idle && run().report && showsStudy()) {   // an adopted saved run stays displayed
        m_currentRun.followStudy(m_currentRun.applyStudy(study()));
    } else if (const auto* before = m_currentRun.remembered(study()); before && idle && !shown) {
        m_currentRun.show(*before);   // undo also restores the network trained for this Study
        const bool refit = m_currentRun.applyStudy(study());
        Q_EMIT recordedChanged();
        m_currentRun.followStudy(refit);
    } else if (idle && !shown) {
        display(DisplayedRun::untrained(m_ready.experiment()));
    }
    if (next != OnceReady::nothing) {
        if (!paused)
            stopRun(Keep::what_took_long);
        start(m_ready.experiment(), next == OnceReady::step);
    }
    Q_EMIT stateChanged();
}

void Session::train()
{
    if (m_trainings.holding()) {
        m_runsOnceHeld = true;
    } else if (auto* training = m_trainings.run()) {
        training->resume();
        m_currentRun.followNewest();
        Q_EMIT recordedChanged();
        Q_EMIT stateChanged();
    } else if (m_ready.experiment()) {
        if (claimCheckpoint())
            start(m_ready.experiment(), false);
    } else if (!m_ready.refused()) {
        m_onceReady = OnceReady::train;
    }
}

bool Session::canContinue() const
{
    return state() == State::ended && showsStudy() && run().state == DisplayedRun::State::kept;
}

bool Session::finished() const
{
    return state() == State::ended && showsStudy() && !m_ready.continuesTraining() && !run().ofOutputs()
           && run().report->stop != StopReason::cancelled
           && (run().fitted() || !method_of(study()).training.fits_curvature);
}

/// Makes the next start continue the displayed run, if possible. @return  false: its checkpoint
/// folder is in use, which is reported
bool Session::claimCheckpoint()
{
    if (!canContinue() || !m_trainings.next(study()).isEmpty())   // or its folder is already in use
        return true;
    if (const auto& by = run().provenance; by && !(by->build == this_build()))
        return true;   // RunOpener asks before it continues such a run; here it starts from the beginning
    try {
        m_trainings.continueIn(CheckpointSlot::named(run().place), study());
        return true;
    } catch (const Error& error) {   // another window is continuing it
        Q_EMIT trainingReported(toQString(error.what()));
        return false;
    }
}

void Session::pause()
{
    if (m_trainings.holding()) {
        m_runsOnceHeld = false;
    } else if (auto* training = m_trainings.run()) {
        training->pause();
        Q_EMIT stateChanged();
        Q_EMIT snapshotChanged();   // charts are drawn in full quality once training stops
    }
}

void Session::stepOnce()
{
    if (m_trainings.holding())
        return;
    auto* training = m_trainings.run();
    if (!training) {
        if (m_ready.experiment()) {
            if (claimCheckpoint())
                start(m_ready.experiment(), true);   // makes the first step
        } else if (!m_ready.refused())
            m_onceReady = OnceReady::step;
        return;
    }
    if (!training->paused())
        training->pause();
    m_currentRun.followNewest();
    training->stepOnce();
    Q_EMIT recordedChanged();
    Q_EMIT stateChanged();
}

void Session::restart()
{
    if (!m_ready.experiment()) {
        if (!m_ready.refused())
            m_onceReady = OnceReady::restart;
        return;
    }
    stopRun(Keep::what_took_long);
    // Restart applies point changes made during training from the start.
    if (!study().data.changes.empty()) {
        m_edit(with_points_from_start(study(), *m_ready.experiment()->data));
        m_onceReady = OnceReady::restart;
        return;
    }
    m_ready.beginAnew();
    start(m_ready.experiment(), false);
}

void Session::trainTo(long step)
{
    if (m_ready.refused())
        return;
    m_trainings.pauseNextAt(step);
    showsStudy() && run().report ? restart() : train();
}

void Session::stop(Keep keep)
{
    m_onceReady = OnceReady::nothing;
    m_trainings.pauseNextAt(0);
    m_currentRun.cancelFit();
    if (!active())
        return;
    stopRun(keep);
    Q_EMIT stateChanged();
    Q_EMIT snapshotChanged();
}

void Session::discard()
{
    m_onceReady = OnceReady::nothing;
    m_currentRun.cancelFit();
    if (!active())
        return;
    if (m_trainings.holding())
        endHoldLater();
    m_paused.drop();
    m_trainings.leave(false);
    if (m_ready.experiment())
        m_currentRun.begin(DisplayedRun::untrained(m_ready.experiment()));
    Q_EMIT stateChanged();
}

/// Displays a run of the Study under edit, also while another Study trains in the background.
void Session::display(DisplayedRun run)
{
    if (!trainsApart())
        return m_currentRun.begin(std::move(run));
    m_currentRun.showDuringTraining(std::move(run));
    Q_EMIT recordedChanged();
    Q_EMIT snapshotChanged();
}

void Session::start(std::shared_ptr<const Experiment> experiment, bool paused, Place place)
{
    m_trainsOther   = experiment != m_ready.experiment();
    m_trainsApart   = place == Place::background;
    m_savedOpen     = m_savedOpen && m_trainsApart;
    auto begun      = DisplayedRun::untrained(experiment);
    begun.continued = !m_trainsOther && m_ready.continuesTraining();
    begun.started   = QDateTime::currentDateTime().toString(Qt::ISODate).toStdString();
    if (const auto* paused = m_trainsOther ? nullptr : m_paused.pausedRunOf(experiment->study)) {
        begun            = *paused;
        begun.experiment = experiment;
        begun.report.reset();
        auto left = m_paused.handOver();
        m_trainings.continueIn(std::move(left.place), experiment->study, std::move(left.files));
    } else if (const QString next = m_trainings.next(experiment->study); !next.isEmpty()) {
        if (next == run().place && run().trained()) {   // its charts stay until new ones arrive
            begun            = run();
            begun.experiment = experiment;
            begun.report.reset();
        }
        begun.state = DisplayedRun::State::awaited;
    }
    m_paused.drop();
    if (m_trainsApart)
        m_currentRun.beginInBackground(std::move(begun));
    else
        m_currentRun.begin(std::move(begun));
    m_trainings.start(std::move(experiment), paused);
    m_currentRun.setPlace(m_trainings.run()->placeName());
    Q_EMIT stateChanged();
}

void Session::setStateKept(const QString& place, bool kept)
{
    if (m_currentRun.setStateKept(place, kept))
        Q_EMIT stateChanged();
}

bool Session::trainOther(std::shared_ptr<const Experiment> experiment, Place place)
{
    if (active())
        return false;
    m_onceReady = OnceReady::nothing;
    start(std::move(experiment), false, place);
    return true;
}

bool Session::continueFrom(std::unique_ptr<CheckpointSlot> place, const Study& study, bool oneStep)
{
    if (active())
        return false;
    m_trainings.continueIn(std::move(place), study);
    oneStep ? stepOnce() : train();
    return true;
}

/// Ends the displayed run immediately: it is saved with the results received so far.
void Session::stopRun(Keep keep)
{
    if (!active())
        return;
    constexpr double takesLong   = 10;   // seconds; shorter runs are quickly repeated
    const bool wasHolding        = m_trainings.holding();
    const DisplayedRun& training = m_currentRun.training();
    TrainingReport report        = training.endedEarly();
    if (method_of(training.experiment->study).training.fits_curvature)
        report.message += " The curvature was not fitted; the point estimate is displayed.";
    const bool kept    = keep == Keep::state || (keep == Keep::what_took_long && report.seconds > takesLong);
    const QString held = kept ? m_paused.release() : QString();
    m_paused.drop();
    const auto* run = m_trainings.run();
    if (run && !m_leaving.empty() && m_leaving.back().run.experiment == run->experiment()) {
        m_leaving.back().kept = kept;
        m_trainings.leaveAndSave();
    } else {
        m_trainings.leave(kept);
    }
    m_currentRun.setTrainingState(held.isEmpty() ? DisplayedRun::State::none : DisplayedRun::State::kept);
    m_currentRun.end(std::move(report));
    if (!held.isEmpty())
        Q_EMIT m_trainings.stopped(held);
    if (wasHolding)
        endHoldLater();
}

void Session::finishRun(const Experiment& trained, const TrainingRun::Update& update)
{
    const bool displayed = !m_currentRun.trainsInBackground();
    auto report          = *update.report;
    if (!update.mistake.empty()) {   // a run that ended with an error is reported as ended early
        report         = m_currentRun.training().endedEarly();
        report.message = "Training ended at step " + std::to_string(report.steps) + ": " + update.mistake;
    }
    const std::string message = report.message;
    m_currentRun.end(std::move(report));
    if (!update.mistake.empty())
        Q_EMIT trainingFailed(toQString(message));
    if (displayed && run().fitted() && !(trained.study.posterior.laplace == run().experiment->study.posterior.laplace))
        m_currentRun.fitAsRequested();   // changed during training
    Q_EMIT stateChanged();
    Q_EMIT snapshotChanged();
    Q_EMIT holdEnded();
}

bool Session::showsOtherStudy() const
{
    return (!active() || m_currentRun.trainsInBackground()) && run().report && run().experiment
           && (m_ready.experiment() || m_ready.refused()) && !sameTraining(study(), run().experiment->study);
}

const Study& Session::panelStudy() const { return displaysSaved() ? run().experiment->study : study(); }

void Session::showTraining()
{
    m_savedOpen   = false;
    m_trainsApart = false;
    m_currentRun.showTraining();
    Q_EMIT stateChanged();
}

void Session::showOwnStudy()
{
    m_savedOpen = false;
    if (active() && !trainsApart())
        return showTraining();
    if (const auto* before = m_currentRun.remembered(study())) {
        m_currentRun.show(*before);
        const bool refit = m_currentRun.applyStudy(study());
        Q_EMIT recordedChanged();
        m_currentRun.followStudy(refit);
    } else if (m_ready.experiment()) {
        display(DisplayedRun::untrained(m_ready.experiment()));
    } else {
        m_shownFirst = false;
        m_ready.make();
    }
    Q_EMIT stateChanged();
}

bool Session::showsStudy() const
{
    return m_ready.experiment() && run().experiment && sameTraining(study(), run().experiment->study);
}

bool Session::showRun(std::shared_ptr<const Experiment> experiment, const SavedRun& run, const QString& place,
                      bool canContinue)
{
    if (run.snapshots.empty())
        return false;
    if (showsStudy())
        m_currentRun.remember();   // showOwnStudy displays it again
    m_shownFirst = state() == State::preparing;
    m_savedOpen  = true;
    if (experiment->outputs)
        experiment = with_study(*experiment, atLevelOf(study(), experiment->study));
    auto shown  = DisplayedRun::of(std::move(experiment), run);
    shown.place = place;
    shown.state = canContinue ? DisplayedRun::State::kept : DisplayedRun::State::none;
    if (active())
        m_currentRun.showDuringTraining(std::move(shown));
    else
        m_currentRun.show(std::move(shown));
    Q_EMIT recordedChanged();
    Q_EMIT stateChanged();
    Q_EMIT snapshotChanged();
    return true;
}
