// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/trainings.h"

#include "runs/checkpoint_file.h"
#include "runs/experiment.h"
#include "session/current_run.h"
#include "session/settings.h"
#include "study/method.h"
#include "work/worker.h"

#include <QDateTime>
#include <QFileInfo>

#include <algorithm>
#include <new>

using namespace credence;

namespace {

// seconds of training without a request to save it; shorter runs are quickly repeated
constexpr double secondsWorthKeeping = 10;
constexpr long recordedSteps         = 200;                        ///< per training, see TrainingEvents
constexpr auto patienceForState      = std::chrono::seconds(20);   // maximum wait for the current step

}   // namespace

TrainingRun::TrainingRun(std::shared_ptr<const Experiment> experiment, bool startPaused,
                         std::unique_ptr<CheckpointSlot> place, bool othersPlace,
                         std::shared_ptr<const CheckpointSlot::Files> files, Train train,
                         std::function<void()> updateReady, double stepsPerSecond, long pauseAt)
    : m_experiment(std::move(experiment)), m_train(std::move(train)), m_updateReady(std::move(updateReady)),
      m_place(std::move(place)), m_files(std::move(files)), m_keepsState(m_place != nullptr),
      m_othersPlace(othersPlace), m_pauseAt(pauseAt), m_placeName(m_place ? m_place->name() : QString())
{
    m_control.set_rate(stepsPerSecond);
    if (startPaused)
        m_control.pause();
    m_thread = std::jthread([this](std::stop_token stop) { work(stop); });
}

TrainingRun::~TrainingRun()
{
    if (m_left) {   // waits, since an interrupted step leaves no checkpoint
        std::unique_lock lock(m_mutex);
        m_end.wait_for(lock, patienceForState, [this] { return m_ended; });
    }
    m_thread.request_stop();
    if (m_thread.joinable())
        m_thread.join();
}

void TrainingRun::stopAndKeepState()
{
    m_left = true;
    m_control.leave();
    m_control.pause();   // chains check for pauses
}

void TrainingRun::leave()
{
    m_handsOver = true;
    m_left      = true;
    m_control.leave();
}

/// Called on the training thread at its end.
std::shared_ptr<LeftRun> TrainingRun::leftRun()
{
    std::error_code none;
    if (!m_handsOver || m_forgotten || !m_place || !std::filesystem::exists(checkpoint_path(m_place->path()), none))
        return nullptr;
    auto left = std::make_shared<LeftRun>();
    try {
        left->files = std::make_shared<const CheckpointSlot::Files>(m_place->read());
    } catch (const std::exception&) {
        // undo then restores only the points
    }
    left->place = std::move(m_place);
    return left;
}

TrainingRun::Update TrainingRun::nextUpdate()
{
    const std::lock_guard lock(m_mutex);
    m_announced = false;
    return std::exchange(m_update, {});
}

void TrainingRun::post(const std::function<void(Update&)>& write)
{
    bool announce = false;
    {
        const std::lock_guard lock(m_mutex);
        write(m_update);
        announce = !std::exchange(m_announced, true);
    }
    if (announce)
        m_updateReady();
}

QString TrainingRun::placeName() const
{
    const std::lock_guard lock(m_mutex);
    return m_placeName;
}

/// Returns the folder for a run that starts from the beginning. The checkpoint of a saved run and
/// the name of a deleted run, which undo can restore, stay unchanged.
std::filesystem::path TrainingRun::placeToBegin()
{
    const QString saved = runsFolder() + QLatin1Char('/') + m_place->name() + QStringLiteral(".credence");
    if (!m_othersPlace || (m_place->hasState() && !QFileInfo::exists(saved)))
        return m_place->path();
    if (auto own = CheckpointSlot::free()) {
        m_place = std::move(own);
        {
            const std::lock_guard lock(m_mutex);
            m_placeName = m_place->name();
        }
        post([name = m_place->name()](Update& update) { update.place = name; });
    }
    return m_place->path();
}

TrainingReport TrainingRun::trained(std::stop_token stop, const TrainingEvents& events)
{
    if (!m_place)
        return m_train(*m_experiment, std::move(stop), &m_control, events);
    CheckpointOptions options;
    options.started    = QDateTime::currentDateTime().toString(Qt::ISODate).toStdString();
    options.mix_builds = true;   // the user already knows that another build started it
    options.notify     = [this](const std::string& sentence) {
        post([&](Update& update) { update.reported.push_back(sentence); });
    };
    options.on_resume = [this](RecordedBefore before) {
        auto reported = std::make_shared<const RecordedBefore>(std::move(before));
        post([&](Update& update) { update.before = std::move(reported); });
    };
    options.begin_in = [this] { return placeToBegin(); };
    const auto clear = [this](const TrainingReport& report) {
        const bool unfinished = report.stop == StopReason::cancelled && !m_forgotten;
        if (!unfinished || (report.seconds < secondsWorthKeeping && !m_left))
            m_place->clear();
    };
    try {
        if (m_files)
            m_place->write(*std::exchange(m_files, nullptr));
        auto run = run_with_checkpoints(*m_experiment, m_place->path(), options, std::move(stop), &m_control, events);
        m_provenance = std::move(run.provenance);
        clear(run.report);
        return std::move(run.report);
    } catch (...) {
        m_place->clear();   // discarded, since it would fail again
        throw;
    }
}

/// Single-stepping continues from the nearest earlier recorded step to the paused step, so few
/// steps are shown.
void TrainingRun::pauseIfNear(long step)
{
    const long few = std::max(1L, m_experiment->study.training.steps / recordedSteps);
    if (m_pauseAt == 0 || step < m_pauseAt - few)
        return;
    m_control.pause();
    for (; step < m_pauseAt; ++step)
        m_control.step_once();
    m_pauseAt = 0;
}

void TrainingRun::work(std::stop_token stop)
{
    lowerThisThread(trainingNiceness);
    TrainingEvents events;
    events.snapshot = [this](std::shared_ptr<const Snapshot> snapshot) {
        pauseIfNear(snapshot->point.step);
        post([&](Update& update) { update.newest = std::move(snapshot); });
    };
    events.recorded = [this](std::shared_ptr<const Snapshot> snapshot) {
        pauseIfNear(snapshot->point.step);
        post([&](Update& update) { update.recorded.push_back(std::move(snapshot)); });
    };
    events.progress = [this, chains = !plan_of(m_experiment->study).kept.empty()](TrainingProgress progress) {
        if (chains && m_control.rate() > 0)
            progress.seconds_left.reset();   // chains exclude waiting time from their estimate
        post([&](Update& update) { update.progress = progress; });
    };

    TrainingReport report;
    std::string mistake;
    try {
        Threads threads;
        threads.run([&] {
            const LowerHelpers lower(trainingNiceness);
            post([made = provenance_of(*m_experiment)](Update& update) { update.provenance = made; });
            report = trained(stop, events);
        });
    } catch (const std::bad_alloc&) {
        mistake = "There is not enough memory for this.";
    } catch (const std::exception& error) {
        mistake = error.what();
    } catch (...) {
        mistake = "An unknown error occurred.";
    }
    const bool keepsState = m_place && m_place->hasState();
    auto left             = mistake.empty() && report.stop == StopReason::cancelled ? leftRun() : nullptr;
    post([&](Update& update) {
        update.report = std::move(report);
        if (m_provenance)
            update.provenance = std::move(m_provenance);
        update.mistake    = std::move(mistake);
        update.keepsState = keepsState;
        update.left       = std::move(left);
    });
    {
        const std::lock_guard lock(m_mutex);
        m_ended = true;
    }
    m_end.notify_all();
}

Trainings::Trainings(TrainingRun::Train train, QObject* parent) : QObject(parent), m_train(std::move(train)) {}

void Trainings::continueIn(std::unique_ptr<CheckpointSlot> place, const Study& study,
                           std::shared_ptr<const CheckpointSlot::Files> files)
{
    m_interrupted      = std::move(place);
    m_interruptedFiles = std::move(files);
    m_interruptedStudy = study;
}

QString Trainings::next(const Study& study) const
{
    return m_interrupted && sameTraining(m_interruptedStudy, study) ? m_interrupted->name() : QString();
}

/// A run has no checkpoints if nothing can be written.
std::unique_ptr<CheckpointSlot> Trainings::placeFor(const Study& study)
{
    if (m_interrupted && sameTraining(m_interruptedStudy, study))
        return std::move(m_interrupted);
    m_interruptedFiles.reset();
    return CheckpointSlot::free();
}

void Trainings::start(std::shared_ptr<const Experiment> experiment, bool paused)
{
    m_holding         = false;
    const bool others = !next(experiment->study).isEmpty() && !m_interruptedFiles;
    auto place        = m_train ? nullptr : placeFor(experiment->study);
    auto train        = m_train ? m_train
                                : [](const Experiment& of, std::stop_token stop, TrainingControl* control,
                              const TrainingEvents& events) {
        return credence::train(of, std::move(stop), control, events).report;
    };
    m_run             = std::make_unique<TrainingRun>(
        std::move(experiment), paused, std::move(place), others, std::exchange(m_interruptedFiles, nullptr),
        std::move(train), [this, number = ++m_number] { m_mailbox.post([this, number] { receive(number); }); }, m_rate,
        std::exchange(m_pauseNextAt, 0));
    if (paused)
        m_run->stepOnce();
}

void Trainings::leave(bool keepState)
{
    if (!m_run)
        return;
    m_holding = false;
    if (keepState) {
        m_run->stopAndKeepState();
    } else {
        m_run->forget();
        m_run->requestStop();
    }
    m_ending.emplace_back(m_number, std::move(m_run));
}

void Trainings::leaveAndSave()
{
    m_run->leave();
    m_ending.emplace_back(m_number, std::move(m_run));
}

void Trainings::setRate(double stepsPerSecond)
{
    m_rate = stepsPerSecond;
    if (m_run)
        m_run->setRate(m_rate);
}

void Trainings::hold()
{
    m_holding = true;
    m_run->leave();
}

void Trainings::requestStop()
{
    if (m_run)
        m_run->requestStop();
}

void Trainings::receive(int number)
{
    const auto old = std::find_if(m_ending.begin(), m_ending.end(),
                                  [number](const auto& ending) { return ending.first == number; });
    if (old != m_ending.end()) {
        const auto last = old->second->nextUpdate();
        if (!last.report)
            return;
        const QString place   = old->second->placeName();
        const auto experiment = old->second->experiment();
        const bool wasLeft    = old->second->wasLeft();
        m_ending.erase(old);   // now its folder is free, unless the update holds it
        if (wasLeft)
            Q_EMIT leftUnfinished(experiment, *last.report, last.left);
        else if (last.keepsState)
            Q_EMIT stopped(place);
        return;
    }
    if (!m_run || number != m_number)
        return;
    const auto update = m_run->nextUpdate();
    Q_EMIT reported(update);
    if (!update.report || !m_run || number != m_number)
        return;
    const auto experiment = m_run->experiment();
    m_run.reset();   // the thread only has to return
    m_holding = false;
    if (update.left)
        Q_EMIT held(*update.report, update.left);
    else
        Q_EMIT ended(experiment, update);
}
