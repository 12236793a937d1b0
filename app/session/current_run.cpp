// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/current_run.h"

#include "runs/changed_points.h"
#include "runs/prediction_data.h"
#include "runs/result_cache.h"
#include "study/method.h"
#include "work/text.h"

#include <algorithm>

using namespace credence;

bool sameTraining(Study a, const Study& b)
{
    a.name              = b.name;
    a.note              = b.note;
    a.prediction        = b.prediction;
    a.posterior.laplace = b.posterior.laplace;
    return a == b;
}

DisplayedRun DisplayedRun::untrained(std::shared_ptr<const Experiment> experiment)
{
    auto start          = std::make_shared<Snapshot>();
    start->posterior    = experiment->start;
    start->point.layers = experiment->start->describe();
    auto table          = experiment->table;
    auto data           = data_for_prediction(*experiment);
    return {.experiment = std::move(experiment),
            .newest     = std::move(start),
            .table      = std::move(table),
            .data       = std::move(data)};
}

DisplayedRun DisplayedRun::of(std::shared_ptr<const Experiment> experiment, const SavedRun& run)
{
    DisplayedRun shown{.experiment = std::move(experiment),
                       .history    = run.history,
                       .newest     = run.snapshots.back(),
                       .report     = run.report,
                       .started    = run.started,
                       .continued  = continued_network(run.report),
                       .table      = run.table,
                       .data       = run.data,
                       .provenance = run.provenance};
    for (const auto& snapshot : run.snapshots)
        shown.recorder.add(snapshot);
    return shown;
}

const RunSnapshot& DisplayedRun::current() const
{
    if (!experiment)
        return known;
    const auto& snapshot = at >= 0 ? recorded()[static_cast<std::size_t>(at)] : newest;
    if (known.experiment == experiment && known.snapshot == snapshot && knownHistory == history.size())
        return known;
    auto until = std::make_shared<TrainingHistory>();
    for (const auto& point : history)
        if (point.step <= snapshot->point.step)
            until->push_back(point);
    if (until->empty() || until->back().step < snapshot->point.step)
        until->push_back(snapshot->point);
    known = {experiment, snapshot, until};
    if (snapshot)
        for (const auto& each : recorder.snapshots())
            if (each->point.step <= snapshot->point.step)
                known.recorded.push_back(each);
    knownHistory = history.size();
    return known;
}

void DisplayedRun::addEarlierSteps(const RecordedBefore& before)
{
    recorder = before.recorder;
    history  = before.history;
    started  = before.started;
    if (!recorder.snapshots().empty())
        setNewest(recorder.snapshots().back());
}

/// The display stays on the step selected by the user, even if the recorder thins its steps.
void DisplayedRun::record(std::shared_ptr<const Snapshot> snapshot)
{
    if (!history.empty() && history.back().step == snapshot->point.step)
        history.back() = snapshot->point;   // the same step, now with curvature
    else
        history.push_back(snapshot->point);
    setNewest(snapshot);
    const auto shown = at >= 0 ? recorded()[static_cast<std::size_t>(at)] : nullptr;
    recorder.add(std::move(snapshot));
    if (!shown)
        return;
    const auto& all  = recorded();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const auto& one) { return one->point.step >= shown->point.step; });
    at               = static_cast<int>(found - all.begin());
}

void DisplayedRun::setNewest(std::shared_ptr<const Snapshot> snapshot)
{
    if (snapshot && (!newest || snapshot->point.step >= newest->point.step))
        newest = std::move(snapshot);
}

void DisplayedRun::applyFit(const LaplaceFit& fit)
{
    const bool first = !fitted();
    newest           = fit.snapshot;
    at               = -1;
    if (!history.empty() && history.back().step == newest->point.step)
        history.back() = newest->point;
    if (first)
        recorder.add(newest);
    else
        recorder.replace_newest(newest);
    if (!report)
        return;
    report->last    = newest;
    report->message = sentence_of(report->stop) + std::string(" Laplace approximation: ")
                      + laplace_words(*laplace_of(*newest)) + '.' + (fit.note.empty() ? "" : ' ' + fit.note);
}

TrainingReport DisplayedRun::endedEarly() const
{
    TrainingReport early;
    early.stop    = StopReason::cancelled;
    early.steps   = newest->point.step;
    early.seconds = newest->point.seconds;
    early.message = sentence_of(StopReason::cancelled);
    early.last    = newest;
    return early;
}

void DisplayedRun::end(TrainingReport ended)
{
    if (ended.last)
        newest = ended.last;
    if (continued)
        ended.message += ' ' + std::string(continued_words) + "; Restart starts from scratch.";
    report = std::move(ended);
}

SavedRun DisplayedRun::kept() const
{
    SavedRun run{.name       = experiment->study.name,
                 .started    = started,
                 .study      = experiment->study,
                 .report     = *report,
                 .history    = history,
                 .snapshots  = recorded(),
                 .table      = table,
                 .provenance = provenance,
                 .data       = data};
    if (run.snapshots.empty() || run.snapshots.back()->point.step < newest->point.step) {
        run.snapshots.push_back(newest);
        run.history.push_back(newest->point);
    }
    return run;
}

LaplaceFitter::LaplaceFitter(QObject* parent) : QObject(parent)
{
    connect(&m_worker, &Worker::failed, this, [this](const QString& field, const QString& sentence) {
        if (!m_worker.busy())
            m_fitting.reset();
        Q_EMIT changed();
        Q_EMIT failed(field, sentence);
    });
    connect(&m_worker, &Worker::progressed, this, [this](double share, std::optional<double> secondsLeft) {
        if (!m_fitting)
            return;
        m_fitting->share       = share;
        m_fitting->secondsLeft = secondsLeft;
        Q_EMIT changed();
    });
}

void LaplaceFitter::fit(const DisplayedRun& run)
{
    const auto wanted = run.experiment->study.posterior.laplace;
    const auto has    = laplace_of(*run.newest);
    const bool same   = has && has->curvature()->options() == wanted.curvature;
    // A precision set by hand is fast and is always completed, so that the chart follows the
    // slider; a newer fit cancels all other fits.
    const auto newer = std::exchange(m_quick, same && wanted.precision_from == PrecisionFrom::hand)
                           ? Worker::Newer::waits_for_old
                           : Worker::Newer::stops_old;
    m_worker.submit(
        [this, request = ++m_last, experiment = run.experiment, at = run.newest,
         wanted](std::stop_token stop, Worker::Progress& progress) -> Worker::Show {
            auto fit = fit_laplace(*experiment, *at, wanted, std::move(stop),
                                   [&progress](double share, std::optional<double> left) {
            progress.report(share, left);
            });
            if (!fit.snapshot)
                return {};   // stopped
            return [this, request, fit = std::move(fit)] {
                if (request == m_last)
                    m_fitting.reset();
                Q_EMIT fitted(fit);
            };
        },
        newer);
    m_fitting = Fitting{.work = !same                                       ? Work::curvature
                                : matches_confidence(wanted.precision_from) ? Work::confidence
                                                                            : Work::precision};
    Q_EMIT changed();
}

void LaplaceFitter::cancel()
{
    m_worker.cancel();   // also discards a result in transit, which belongs to another run
    if (!m_fitting)
        return;
    m_fitting.reset();
    Q_EMIT changed();
}

namespace {

constexpr std::size_t mostRemembered = 2;   ///< runs that undo can restore; each may occupy hundreds of megabytes

}   // namespace

CurrentRun::CurrentRun(const Trainings& trainings, QObject* parent) : QObject(parent), m_trainings(trainings)
{
    connect(&trainings, &Trainings::reported, this, &CurrentRun::apply);
    connect(&m_fitter, &LaplaceFitter::changed, this, &CurrentRun::fittingChanged);
    connect(&m_fitter, &LaplaceFitter::failed, this, &CurrentRun::fitFailed);
    connect(&m_fitter, &LaplaceFitter::fitted, this, &CurrentRun::applyFit);
}

void CurrentRun::showRecorded(int index)
{
    const int last = static_cast<int>(m_run.recorded().size()) - 1;
    const int at   = index < 0 || index > last || (index == last && !displaysTraining()) ? -1 : index;
    if (at == m_run.at)
        return;
    m_run.at = at;
    Q_EMIT recordedChanged();
    Q_EMIT snapshotChanged();
}

void CurrentRun::show(DisplayedRun run)
{
    cancelFit();
    m_run    = std::move(run);
    m_run.at = -1;
    m_run.progress.reset();
    ++m_number;
    release_expired_results();
}

void CurrentRun::followNewest() { trainingRun().at = -1; }

void CurrentRun::showDuringTraining(DisplayedRun run)
{
    if (!m_background)
        m_background = std::move(m_run);
    show(std::move(run));
}

void CurrentRun::showTraining()
{
    if (!m_background)
        return;
    auto training       = *std::exchange(m_background, std::nullopt);
    const auto progress = training.progress;
    show(std::move(training));
    m_run.progress = progress;
    Q_EMIT recordedChanged();
    Q_EMIT snapshotChanged();
}

bool CurrentRun::setStateKept(const QString& place, bool kept)
{
    const auto state = kept ? DisplayedRun::State::kept : DisplayedRun::State::none;
    for (auto& run : m_remembered)
        if (!place.isEmpty() && run.place == place && run.report->stop == StopReason::cancelled)
            run.state = state;
    if (place.isEmpty() || m_run.place != place || !m_run.report)
        return false;
    m_run.state = state;
    return true;
}

void CurrentRun::begin(DisplayedRun run)
{
    m_background.reset();
    show(std::move(run));
    Q_EMIT recordedChanged();
    Q_EMIT snapshotChanged();
}

bool CurrentRun::applyStudy(const Study& study)
{
    const bool otherFit = !(m_run.experiment->study.posterior.laplace == study.posterior.laplace);
    m_run.experiment    = with_study(*m_run.experiment, study);
    return otherFit && canFit() && (m_run.fitted() || fitting());
}

void CurrentRun::followStudy(bool refit)
{
    if (refit)
        fitAsRequested();   // the charts arrive with its result
    else
        Q_EMIT snapshotChanged();
}

void CurrentRun::remember()
{
    if (displaysTraining() || !m_run.report || !m_run.experiment || !m_run.trained())
        return;
    std::erase_if(m_remembered, [this](const DisplayedRun& run) { return run.newest == m_run.newest; });
    m_remembered.push_back(m_run);
    if (m_remembered.size() > mostRemembered)
        m_remembered.erase(m_remembered.begin());
}

const DisplayedRun* CurrentRun::remembered(const Study& study) const
{
    const auto run = std::find_if(m_remembered.rbegin(), m_remembered.rend(),
                                  [&](const DisplayedRun& one) { return sameTraining(study, one.experiment->study); });
    return run == m_remembered.rend() ? nullptr : &*run;
}

void CurrentRun::apply(const TrainingRun::Update& update)
{
    DisplayedRun& run = trainingRun();
    if (!update.place.isEmpty())
        run.place = update.place;
    if (update.before) {
        run.addEarlierSteps(*update.before);
        run.state = DisplayedRun::State::none;
    } else if (run.state == DisplayedRun::State::awaited && (update.newest || !update.recorded.empty())) {
        // the checkpoint did not match, so the run starts from the beginning
        auto anew    = DisplayedRun::untrained(run.experiment);
        anew.started = run.started;
        anew.place   = run.place;
        run          = std::move(anew);
        ++m_number;
    }
    if (update.provenance)
        run.provenance = update.provenance;
    for (const auto& snapshot : update.recorded)
        run.record(snapshot);
    run.setNewest(update.newest);
    if (update.progress) {
        run.progress = update.progress;
        Q_EMIT progressed();
    }
    if (m_background)
        return;
    if (!update.recorded.empty())
        Q_EMIT recordedChanged();
    if (!update.report && m_run.at < 0 && (update.newest || !update.recorded.empty()))
        Q_EMIT snapshotChanged();
}

void CurrentRun::end(TrainingReport report)
{
    DisplayedRun& run = trainingRun();
    run.end(std::move(report));
    Q_EMIT recordedChanged();
    if (run.report->steps > 0)
        Q_EMIT runEnded(run.experiment, std::make_shared<SavedRun>(run.kept()), run.place);
    m_background.reset();   // the run is now one of the saved runs
}

void CurrentRun::holdWithReport(TrainingReport report)
{
    m_run.end(std::move(report));
    Q_EMIT recordedChanged();
}

bool CurrentRun::canFit() const
{
    return !m_trainings.run() && m_run.experiment && method_of(m_run.experiment->study).training.fits_curvature
           && m_run.trained();
}

void CurrentRun::fit(const LaplaceOptions& options)
{
    if (!canFit())
        return;
    Study study             = m_run.experiment->study;
    study.posterior.laplace = options;
    m_run.experiment        = with_study(*m_run.experiment, study);
    fitAsRequested();
    Q_EMIT fitRequested();
}

void CurrentRun::fitAsRequested()
{
    if (canFit())
        m_fitter.fit(m_run);
}

void CurrentRun::applyFit(const LaplaceFit& fit)
{
    const bool first = !m_run.fitted();
    m_run.applyFit(fit);
    Q_EMIT fittingChanged();
    Q_EMIT recordedChanged();
    Q_EMIT snapshotChanged();
    if (first)
        keepFit();
    else if (!fit.note.empty())
        Q_EMIT fitNoted(toQString(fit.note));
}

void CurrentRun::keepFit()
{
    if (m_run.report && m_run.fitted())
        Q_EMIT runEnded(m_run.experiment, std::make_shared<SavedRun>(m_run.kept()), {});
}
