// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/session.h"

#include "work/text.h"

#include "foundation/error.h"
#include "runs/experiment.h"
#include "study/method.h"
#include "study/presets.h"

#include <QDateTime>

using namespace credence;

namespace {

/// Is this what comes of drawing and erasing points: the same study of other points?
bool onlyPointsDiffer(Study before, const Study& after)
{
    before.data = after.data;
    return after.data.source == DataSource::drawn && sameTraining(std::move(before), after);
}

/// What was trained last, not the Gaussian that was fitted around it; null: nothing of that kind.
std::shared_ptr<const VariationalFamily<float>> trainedOf(const ShownRun& run)
{
    const auto trained = [](const Snapshot& snapshot) {
        return std::dynamic_pointer_cast<const VariationalFamily<float>>(snapshot.posterior);
    };
    auto found = trained(*run.newest);
    for (auto one = run.recorded().rbegin(); !found && one != run.recorded().rend(); ++one)
        found = trained(**one);
    return found;
}

/// The Study that stands for outputs from elsewhere, at the level α of another one: which of their predictions count as certain is a matter of looking at them.
Study atLevelOf(const Study& study, Study outputs)
{
    outputs.prediction.level = study.prediction.level;
    return outputs;
}

}   // namespace

Session::Session(QObject* parent, TrainingRun::Train train)
    : QObject(parent), m_study(default_study()), m_trainings(std::move(train))
{
    connect(&m_maker, &Worker::failed, this, [this](const QString& field, const QString& sentence) {
        m_onceReady = OnceReady::nothing;
        m_refused   = true;
        Q_EMIT studyRefused(field, sentence);
        Q_EMIT stateChanged();
    });
    connect(&m_trainings, &Trainings::ended, this,
            [this](const std::shared_ptr<const Experiment>& trained, const TrainingRun::Mail& mail) {
        takeEnd(*trained, mail);
    });
    connect(&m_trainings, &Trainings::told, this, [this](const TrainingRun::Mail& mail) {
        for (const auto& sentence : mail.told)
            Q_EMIT trainingTold(toQString(sentence));
    });
    connect(&m_onShow, &RunOnShow::fitWished, this, &Session::stateChanged);
    connect(&m_onShow, &RunOnShow::fitFailed, this, &Session::studyRefused);
    connect(&m_onShow, &RunOnShow::momentChanged, this, &Session::momentChanged);
    connect(&m_onShow, &RunOnShow::recordedChanged, this, &Session::recordedChanged);
    makeReady();
}

/// All are asked to stop before the first is waited for.
Session::~Session() { m_trainings.requestStop(); }

/// Reads and splits the data and draws the start, in the background.
void Session::makeReady()
{
    m_maker.submit([this, study = m_study](std::stop_token stop, Worker::Progress&) -> Worker::Show {
        auto made = prepare(study, std::move(stop));
        if (!made)
            return {};   // stopped
        return [this, made = std::move(made)] { receive(made); };
    });
}

Session::State Session::state() const
{
    if (const auto* training = m_trainings.run())
        return training->paused() ? State::paused : State::running;
    if (m_held.any())
        return State::paused;
    if (m_refused)
        return State::refused;
    if (!m_ready)
        return State::preparing;
    return run().report ? State::ended : State::ready;
}

bool Session::changedSinceStart() const
{
    return m_trainings.run() && !m_trainsOther && !sameTraining(m_study, m_trainings.run()->experiment()->study);
}

void Session::prepareAgain()
{
    if (!m_refused)
        return;
    m_refused = false;
    makeReady();
    Q_EMIT stateChanged();
}

void Session::setStudy(const Study& study)
{
    if (study == m_study)
        return;
    if (undoPoints(study))
        m_onceReady = m_held.wasRunning() ? OnceReady::train : OnceReady::nothing;
    else if (m_held.any() && !m_held.standing(study))
        stopRun();
    const bool retrain = !sameTraining(study, m_study);
    if (retrain)
        m_onShow.remember();
    m_study = study;
    if (!retrain && m_ready && sameTraining(m_study, m_ready->study)) {
        m_ready = with_study(*m_ready, m_study);
        if (m_fromStart)
            m_fromStart = with_study(*m_fromStart, m_study);
        try {
            m_refused = false;
            require_method_fits(*m_ready);
        } catch (const Error& error) {   // what is on show stays
            m_refused = true;
            Q_EMIT studyChanged();
            Q_EMIT studyRefused(toQString(error.field()), toQString(error.what()));
            Q_EMIT stateChanged();
            return;
        }
        if (showsStudy()) {
            const bool refit = m_onShow.takeStudy(m_study);
            Q_EMIT studyChanged();
            Q_EMIT studyAccepted();
            Q_EMIT stateChanged();
            m_onShow.followStudy(refit);
            return;
        }
        if (showsOutputs()) {   // they stay on show, at the level of the Study
            m_onShow.takeStudy(atLevelOf(m_study, run().experiment->study));
            Q_EMIT studyChanged();
            Q_EMIT studyAccepted();
            Q_EMIT stateChanged();
            m_onShow.followStudy(false);
            return;
        }
    }
    m_ready.reset();
    m_refused    = false;
    m_shownFirst = false;
    makeReady();
    Q_EMIT studyChanged();
    Q_EMIT stateChanged();
}

void Session::receive(std::shared_ptr<const Experiment> experiment)
{
    const auto next   = std::exchange(m_onceReady, OnceReady::nothing);
    m_refused         = false;
    m_ready           = std::move(experiment);
    const bool wentOn = std::exchange(m_fromStart, nullptr) != nullptr;
    const bool shown  = std::exchange(m_shownFirst, false);
    if (next == OnceReady::restart && takePointsFromStart())
        return;
    const auto* standing = m_held.standing(m_study);
    if (next != OnceReady::restart && !standing && !m_onShow.remembered(m_study))
        goOnFromShown(wentOn);
    Q_EMIT studyAccepted();
    if (standing && !shown) {   // the same net, beside the points of now
        auto stands       = *standing;
        stands.experiment = m_ready;
        stands.report.reset();
        m_onShow.begin(std::move(stands));
    } else if (!active() && run().report && showsStudy())   // a kept run whose Study was taken over stays on show
        m_onShow.followStudy(m_onShow.takeStudy(m_study));
    else if (!active() && !shown && !showRemembered())
        m_onShow.begin(ShownRun::untrained(m_ready));
    if (next != OnceReady::nothing) {
        if (!standing)
            stopRun();
        start(m_ready, next == OnceReady::step);
    }
    Q_EMIT stateChanged();
}

/// After undo the net comes back with the Study that it was trained for.
bool Session::showRemembered()
{
    const auto* before = m_onShow.remembered(m_study);
    if (!before)
        return false;
    m_onShow.show(*before);
    const bool refit = m_onShow.takeStudy(m_study);
    Q_EMIT recordedChanged();
    m_onShow.followStudy(refit);
    return true;
}

/// Points that are drawn or erased do not throw away what was learned: the net on show, if it fits the new data, is what the next run begins with.
void Session::goOnFromShown(bool wentOn)
{
    const auto& shown = run();
    if (!shown.experiment || !shown.newest || !onlyPointsDiffer(shown.experiment->study, m_study)
        || sameTraining(shown.experiment->study, m_study) || (!shown.trained() && !wentOn))
        return;
    auto from = trainedOf(shown);
    if (!from || !(from->layout() == m_ready->start->layout()))
        return;
    auto begins   = std::make_shared<Experiment>(*m_ready);
    begins->start = std::move(from);
    m_fromStart   = std::exchange(m_ready, std::move(begins));
}

void Session::train()
{
    if (auto* training = m_trainings.run()) {
        training->resume();
        m_onShow.followNewest();
        Q_EMIT recordedChanged();
        Q_EMIT stateChanged();
    } else if (m_ready) {
        start(m_ready, false);
    } else if (!m_refused) {
        m_onceReady = OnceReady::train;
    }
}

void Session::pause()
{
    if (auto* training = m_trainings.run()) {
        training->pause();
        Q_EMIT stateChanged();
        Q_EMIT momentChanged();   // still pictures are drawn in full quality
    }
}

void Session::stepOnce()
{
    auto* training = m_trainings.run();
    if (!training) {
        if (m_ready)
            start(m_ready, true);   // makes the first step
        else if (!m_refused)
            m_onceReady = OnceReady::step;
        return;
    }
    if (!training->paused())
        training->pause();
    m_onShow.followNewest();
    training->stepOnce();
    Q_EMIT recordedChanged();
    Q_EMIT stateChanged();
}

void Session::restart()
{
    if (m_ready) {
        if (takePointsFromStart())
            return;
        stopRun();
        if (m_fromStart)
            m_ready = std::exchange(m_fromStart, nullptr);
        start(m_ready, false);
    } else if (!m_refused) {
        m_onceReady = OnceReady::restart;
    }
}

void Session::cancel()
{
    m_onceReady = OnceReady::nothing;
    m_onShow.cancelFit();
    if (!active())
        return;
    stopRun();
    Q_EMIT stateChanged();
    Q_EMIT momentChanged();
}

void Session::start(std::shared_ptr<const Experiment> experiment, bool paused)
{
    m_trainsOther = experiment != m_ready;
    auto begun    = ShownRun::untrained(experiment);
    begun.wentOn  = !m_trainsOther && goesOn();
    begun.started = QDateTime::currentDateTime().toString(Qt::ISODate).toStdString();
    if (const auto* standing = m_trainsOther ? nullptr : m_held.standing(experiment->study)) {
        begun            = *standing;
        begun.experiment = experiment;
        begun.report.reset();
        m_trainings.goOnIn(m_held.goOn(), experiment->study);
    }
    m_held.drop();
    m_onShow.begin(std::move(begun));
    m_trainings.start(experiment, paused);
    Q_EMIT stateChanged();
}

bool Session::trainOther(std::shared_ptr<const Experiment> experiment)
{
    if (active())
        return false;
    m_onceReady = OnceReady::nothing;
    start(std::move(experiment), false);
    return true;
}

bool Session::goOnWith(std::unique_ptr<RunPlace> place, const Study& study)
{
    if (active())
        return false;
    m_trainings.goOnIn(std::move(place), study);
    train();
    return true;
}

/// Ends the run at once for all that can be seen: it is kept with what it had told so far.
void Session::stopRun()
{
    if (!active())
        return;
    TrainingReport report = run().endedEarly();
    if (method_of(run().experiment->study).fits_curvature)
        report.message += " The curvature was not fitted: what is on show is the point estimate.";
    m_held.drop();
    m_trainings.letGo();
    m_onShow.end(std::move(report));
}

void Session::takeEnd(const Experiment& trained, const TrainingRun::Mail& mail)
{
    auto report = *mail.report;
    if (!mail.mistake.empty()) {   // what was told before it is a run that ended early
        report         = run().endedEarly();
        report.message = "The training ended at step " + std::to_string(report.steps) + ": " + mail.mistake;
    }
    m_onShow.end(std::move(report));
    if (!mail.mistake.empty())
        Q_EMIT trainingFailed(toQString(run().report->message));
    if (run().fitted() && !(trained.study.posterior.laplace == run().experiment->study.posterior.laplace))
        m_onShow.fitAsWished();   // wished otherwise while it was training
    Q_EMIT stateChanged();
    Q_EMIT momentChanged();
}

bool Session::showsOtherStudy() const
{
    return !active() && run().report && run().experiment && (m_ready || m_refused)
           && !sameTraining(m_study, run().experiment->study);
}

bool Session::showsStudy() const
{
    return m_ready && run().experiment && sameTraining(m_study, run().experiment->study);
}

bool Session::showRun(std::shared_ptr<const Experiment> experiment, const KeptRun& run)
{
    if (active() || run.snapshots.empty())
        return false;
    m_shownFirst = state() == State::preparing;
    if (experiment->outputs)
        experiment = with_study(*experiment, atLevelOf(m_study, experiment->study));
    m_onShow.show(ShownRun::of(std::move(experiment), run));
    Q_EMIT recordedChanged();
    Q_EMIT stateChanged();
    Q_EMIT momentChanged();
    return true;
}
