// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/session.h"

#include "foundation/error.h"
#include "runs/experiment.h"
#include "runs/laplace_fit.h"
#include "runs/train.h"
#include "study/method.h"
#include "study/presets.h"

#include <QDateTime>

#include <algorithm>

using namespace credence;

namespace {

/// The same in all that data, start and training depend on? Names, the way of predicting, and what is fitted after the training may differ.
bool sameTraining(Study a, const Study& b)
{
    a.name              = b.name;
    a.note              = b.note;
    a.prediction        = b.prediction;
    a.posterior.laplace = b.posterior.laplace;
    return a == b;
}

/// Is this what comes of drawing and erasing points: the same study of other points?
bool onlyPointsDiffer(Study before, const Study& after)
{
    before.data = after.data;
    return after.data.source == DataSource::drawn && sameTraining(std::move(before), after);
}

constexpr std::size_t mostRemembered = 2;   ///< runs that undo brings back: each may hold hundreds of megabytes

std::shared_ptr<const Snapshot> startOf(const Experiment& experiment)
{
    auto snapshot          = std::make_shared<Snapshot>();
    snapshot->posterior    = experiment.start;
    snapshot->point.layers = experiment.start->describe();
    return snapshot;
}

}   // namespace

Session::Session(QObject* parent, TrainingRun::Train train)
    : QObject(parent), m_train(train ? std::move(train)
                                     : [](const Experiment& experiment, std::stop_token stop, TrainingControl* control,
                                          const TrainingEvents& events) {
    return credence::train(experiment, std::move(stop), control, events).report;
      }),
m_study(default_study())
{
    connect(&m_maker, &Worker::failed, this, &Session::refuse);
    connect(&m_fitter, &Worker::failed, this, [this](const QString& field, const QString& sentence) {
        if (!m_fitter.busy())
            m_fitting.reset();
        Q_EMIT fittingChanged();
        Q_EMIT studyRefused(field, sentence);
    });
    connect(&m_fitter, &Worker::progressed, this, [this](double share, std::optional<double> secondsLeft) {
        if (!m_fitting)
            return;
        m_fitting->share        = share;
        m_fitting->seconds_left = secondsLeft;
        Q_EMIT fittingChanged();
    });
    makeReady();
}

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

bool Session::changedSinceStart() const { return m_run && !sameTraining(m_study, m_run->experiment()->study); }

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
    const bool retrain = !sameTraining(study, m_study);
    if (retrain)
        rememberShown();
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
            Q_EMIT studyRefused(QString::fromStdString(error.field()), QString::fromStdString(error.what()));
            Q_EMIT stateChanged();
            return;
        }
        if (m_shown && sameTraining(m_study, m_shown->study)) {
            const bool refit = giveShownTheStudy();
            Q_EMIT studyChanged();
            Q_EMIT studyAccepted();
            Q_EMIT stateChanged();
            if (refit)
                fitAsWished();   // the pictures come with its answer
            else
                Q_EMIT momentChanged();
            return;
        }
    }
    m_ready.reset();
    m_refused = false;
    makeReady();
    Q_EMIT studyChanged();
    Q_EMIT stateChanged();
}

/// The run on show was trained as the Study says: it goes by its name and its settings of prediction.
/// @return  does it need another fit than it has?
bool Session::giveShownTheStudy()
{
    const bool otherFit = !(m_shown->study.posterior.laplace == m_study.posterior.laplace);
    m_shown             = with_study(*m_shown, m_study);
    return otherFit && canFit() && (fitted() || m_fitting);
}

void Session::refuse(const QString& field, const QString& sentence)
{
    m_onceReady = OnceReady::nothing;
    m_refused   = true;
    Q_EMIT studyRefused(field, sentence);
    Q_EMIT stateChanged();
}

void Session::receive(std::shared_ptr<const Experiment> experiment)
{
    const auto next   = std::exchange(m_onceReady, OnceReady::nothing);
    m_refused         = false;
    m_ready           = std::move(experiment);
    const bool wentOn = std::exchange(m_fromStart, nullptr) != nullptr;
    if (next != OnceReady::restart && !remembered())
        goOnFromShown(wentOn);
    Q_EMIT studyAccepted();
    if (!m_run && m_report
        && sameTraining(m_study, m_shown->study)) {   // a kept run whose Study was taken over stays on show
        if (giveShownTheStudy())
            fitAsWished();
        else
            Q_EMIT momentChanged();
    } else if (!m_run && !showRemembered()) {
        showFresh();
    }
    if (next != OnceReady::nothing) {
        stopRun();
        start(next == OnceReady::step);
    }
    Q_EMIT stateChanged();
}

void Session::rememberShown()
{
    if (m_run || !m_report || !m_shown || !m_newest || m_newest->point.step == 0)
        return;
    std::erase_if(m_remembered, [this](const Remembered& run) { return run.newest == m_newest; });
    m_remembered.push_back({m_shown, m_recorder, m_history, m_newest, *m_report, m_started});
    if (m_remembered.size() > mostRemembered)
        m_remembered.erase(m_remembered.begin());
}

/// The run of the Study that was on show not long ago; null: none.
const Session::Remembered* Session::remembered() const
{
    const auto run = std::find_if(m_remembered.rbegin(), m_remembered.rend(), [this](const Remembered& one) {
        return sameTraining(m_study, one.experiment->study);
    });
    return run == m_remembered.rend() ? nullptr : &*run;
}

/// After undo the net comes back with the Study that it was trained for.
bool Session::showRemembered()
{
    const auto* run = remembered();
    if (!run)
        return false;
    cancelFit();
    m_shown = run->experiment;
    ++m_shownRun;
    m_recorder = run->recorder;
    m_history  = run->history;
    m_newest   = run->newest;
    m_report   = run->report;
    m_started  = run->started;
    m_at       = -1;
    m_progress.reset();
    const bool refit = giveShownTheStudy();
    Q_EMIT recordedChanged();
    if (refit)
        fitAsWished();
    else
        Q_EMIT momentChanged();
    return true;
}

/// Points that are drawn or erased do not throw away what was learned: the net on show, if it fits the new data, is what the next run begins with.
void Session::goOnFromShown(bool wentOn)
{
    if (!m_shown || !m_newest || !onlyPointsDiffer(m_shown->study, m_study) || sameTraining(m_shown->study, m_study)
        || (m_newest->point.step == 0 && !wentOn))
        return;
    const auto trained = [](const Snapshot& snapshot) {
        return std::dynamic_pointer_cast<const VariationalFamily<float>>(snapshot.posterior);
    };
    auto from = trained(*m_newest);
    for (auto one = recorded().rbegin(); !from && one != recorded().rend(); ++one)
        from = trained(**one);   // what was trained, not the Gaussian that was fitted around it
    if (!from || !(from->layout() == m_ready->start->layout()))
        return;
    auto begins   = std::make_shared<Experiment>(*m_ready);
    begins->start = std::move(from);
    m_fromStart   = std::exchange(m_ready, std::move(begins));
}

void Session::showFresh()
{
    cancelFit();
    m_shown = m_ready;
    ++m_shownRun;
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
        if (m_fromStart)
            m_ready = std::exchange(m_fromStart, nullptr);
        start(false);
    } else if (!m_refused) {
        m_onceReady = OnceReady::restart;
    }
}

void Session::cancel()
{
    m_onceReady = OnceReady::nothing;
    cancelFit();
    if (!m_run)
        return;
    stopRun();
    Q_EMIT stateChanged();
    Q_EMIT momentChanged();
}

void Session::start(bool paused)
{
    showFresh();
    m_wentOn         = goesOn();
    m_started        = QDateTime::currentDateTime().toString(Qt::ISODate).toStdString();
    const int number = ++m_runNumber;
    m_run            = std::make_unique<TrainingRun>(m_ready, paused, m_train, [this, number] {
        QMetaObject::invokeMethod(
                       this, [this, number] { receiveMail(number); }, Qt::QueuedConnection);
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
    TrainingReport report = endedEarly();
    if (method_of(m_shown->study).fits_curvature)
        report.message += " The curvature was not fitted: what is on show is the point estimate.";
    m_ending.emplace_back(m_runNumber, std::move(m_run));
    finish(std::move(report));
}

/// The report of a run that comes to no end of its own.
TrainingReport Session::endedEarly() const
{
    TrainingReport report;
    report.stop    = StopReason::cancelled;
    report.steps   = m_newest->point.step;
    report.seconds = m_newest->point.seconds;
    report.message = sentence_of(StopReason::cancelled);
    report.last    = m_newest;
    return report;
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
        if (!m_history.empty() && m_history.back().step == snapshot->point.step)
            m_history.back() = snapshot->point;   // the same step with its curvature
        else
            m_history.push_back(snapshot->point);
        if (!m_newest || snapshot->point.step >= m_newest->point.step)
            m_newest = snapshot;
        // The view stays on the step that the user chose, also when the recorder thins what it holds.
        const auto shown = m_at >= 0 ? recorded()[static_cast<std::size_t>(m_at)] : nullptr;
        m_recorder.add(std::move(snapshot));
        if (shown) {
            const auto& all = recorded();
            const auto at   = std::find_if(all.begin(), all.end(),
                                           [&](const auto& s) { return s->point.step >= shown->point.step; });
            m_at            = static_cast<int>(at - all.begin());
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
        const auto fittedWith = m_run->experiment()->study.posterior.laplace;
        m_ending.emplace_back(m_runNumber, std::move(m_run));
        m_ending.pop_back();           // the thread has nothing more to do than return
        if (!mail.mistake.empty()) {   // what was told before it is a run that ended early
            mail.report          = endedEarly();
            mail.report->message = "The training ended at step " + std::to_string(mail.report->steps) + ": "
                                   + mail.mistake;
        }
        finish(std::move(*mail.report));
        if (!mail.mistake.empty())
            Q_EMIT trainingFailed(QString::fromStdString(m_report->message));
        if (fitted() && !(fittedWith == m_shown->study.posterior.laplace))
            fitAsWished();   // wished otherwise while it was training
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
    if (m_wentOn)
        report.message += " It began with the net that was trained before its points were drawn; Restart begins anew.";
    m_report = report;
    Q_EMIT recordedChanged();
    if (report.steps <= 0)
        return;
    Q_EMIT runEnded(m_shown, keptRun(std::move(report)));
}

std::shared_ptr<KeptRun> Session::keptRun(TrainingReport report) const
{
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
    return kept;
}

bool Session::showsOtherStudy() const
{
    return !m_run && m_report && m_shown && (m_ready || m_refused) && !sameTraining(m_study, m_shown->study);
}

bool Session::showsStudy() const { return m_ready && m_shown && sameTraining(m_study, m_shown->study); }

bool Session::fitted() const { return m_newest && laplace_of(*m_newest); }

bool Session::canFit() const
{
    return !m_run && m_shown && m_newest && method_of(m_shown->study).fits_curvature && m_newest->point.step > 0;
}

void Session::fitLaplace(const LaplaceOptions& options)
{
    if (!canFit())
        return;
    Study study             = m_shown->study;
    study.posterior.laplace = options;
    m_shown                 = with_study(*m_shown, study);
    fitAsWished();
    Q_EMIT stateChanged();   // of the panel: what was wished
}

/// What the Study of the run on show says of its curvature and precision.
void Session::fitAsWished()
{
    if (!canFit())
        return;
    const auto& wanted = m_shown->study.posterior.laplace;
    const auto has     = laplace_of(*m_newest);
    // A precision given by hand is there in no time and is finished, so that the picture follows the slider; anything else gives way to the newer one.
    const auto newer = std::exchange(m_quickFit, has && has->curvature()->options() == wanted.curvature
                                                     && wanted.precision_from == PrecisionFrom::hand)
                           ? Worker::Newer::waits_for_old
                           : Worker::Newer::stops_old;
    m_fitter.submit(
        [this, request = ++m_lastFit, experiment = m_shown, at = m_newest,
         wanted](std::stop_token stop, Worker::Progress& progress) -> Worker::Show {
            auto fit = fit_laplace(*experiment, *at, wanted, std::move(stop),
                                   [&progress](double share, std::optional<double> left) {
            progress.tell(share, left);
            });
            if (!fit.snapshot)
                return {};   // stopped
            return [this, request, fit = std::move(fit)] { receiveFit(request, fit); };
        },
        newer);
    m_fitting       = Fitting{};
    m_fitting->work = !has || !(has->curvature()->options() == wanted.curvature) ? Work::curvature
                      : wanted.precision_from == PrecisionFrom::confidence       ? Work::confidence
                                                                                 : Work::precision;
    Q_EMIT fittingChanged();
}

void Session::cancelFit()
{
    m_fitter.cancel();   // also an answer on its way: it is of another run
    if (!m_fitting)
        return;
    m_fitting.reset();
    Q_EMIT fittingChanged();
}

void Session::receiveFit(int request, const LaplaceFit& fit)
{
    if (request == m_lastFit)
        m_fitting.reset();
    const bool first = !fitted();
    m_newest         = fit.snapshot;
    m_at             = -1;
    if (!m_history.empty() && m_history.back().step == m_newest->point.step)
        m_history.back() = m_newest->point;
    if (first)
        m_recorder.add(m_newest);
    else
        m_recorder.replace_newest(m_newest);
    if (m_report) {
        m_report->last    = m_newest;
        m_report->message = sentence_of(m_report->stop) + std::string(" Laplace approximation: ")
                            + laplace_words(*laplace_of(*m_newest)) + '.' + (fit.note.empty() ? "" : ' ' + fit.note);
    }
    Q_EMIT fittingChanged();
    Q_EMIT recordedChanged();
    Q_EMIT momentChanged();
    if (first)
        keepFit();
    else if (!fit.note.empty())
        Q_EMIT fitSaid(QString::fromStdString(fit.note));
}

void Session::keepFit()
{
    if (m_report && fitted())
        Q_EMIT runEnded(m_shown, keptRun(*m_report));
}

bool Session::showRun(std::shared_ptr<const Experiment> experiment, const KeptRun& run)
{
    if (m_run || run.snapshots.empty())
        return false;
    cancelFit();
    m_shown = std::move(experiment);
    ++m_shownRun;
    m_started  = run.started;
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
