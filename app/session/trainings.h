// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/run_with_checkpoints.h"
#include "session/checkpoint_slot.h"
#include "work/worker.h"

#include <QObject>
#include <QString>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

/// A run stopped between two steps that can be continued.
struct LeftRun {
    std::unique_ptr<CheckpointSlot> place;                ///< folder of its checkpoint
    std::shared_ptr<const CheckpointSlot::Files> files;   ///< contents of that checkpoint; null: unreadable
};

/// One training on a separate low-priority thread, using all cores. Its messages are collected in a
/// mailbox until they are read, so that a busy window neither delays training nor receives outdated
/// messages.
class TrainingRun {
public:
    struct Update {
        std::shared_ptr<const credence::Snapshot> newest;                  ///< older live ones are dropped
        std::vector<std::shared_ptr<const credence::Snapshot>> recorded;   ///< every recorded step, in order
        std::optional<credence::TrainingProgress> progress;
        /// For a continued run: the steps recorded earlier. Sent first.
        std::shared_ptr<const credence::RecordedBefore> before;
        std::vector<std::string> reported;                ///< messages about checkpoints
        QString place;                                    ///< sent if it starts anew in another folder than given
        std::optional<credence::TrainingReport> report;   ///< once, at the end
        /// Sent at the start, and again at the end of a run started by another build.
        std::optional<credence::Provenance> provenance;
        std::string mistake;             ///< with the report: the error thrown by training
        bool keepsState = false;         ///< with the report: the run can continue from its checkpoint
        std::shared_ptr<LeftRun> left;   ///< with the report, after `leave`; null: the training finished normally
    };
    using Train = std::function<credence::TrainingReport(const credence::Experiment&, std::stop_token,
                                                         credence::TrainingControl*, const credence::TrainingEvents&)>;

    /// @param place        checkpoint folder, from which an interrupted run continues; null: none
    /// @param othersPlace  is it the folder of a run that ended? If it cannot continue from there,
    ///        it starts in a folder of its own
    /// @param files        checkpoint to write there first; null: use the existing one
    /// @param train        runs the training if there is no folder
    /// @param stepsPerSecond  see `setRate`
    /// @param pauseAt      pauses after this many steps; 0: never
    /// @param updateReady  called on the training thread when the empty mailbox receives its first
    ///        message
    TrainingRun(std::shared_ptr<const credence::Experiment> experiment, bool startPaused,
                std::unique_ptr<CheckpointSlot> place, bool othersPlace,
                std::shared_ptr<const CheckpointSlot::Files> files, Train train, std::function<void()> updateReady,
                double stepsPerSecond = 0, long pauseAt = 0);
    ~TrainingRun();   ///< Requests a stop and waits, longer if the checkpoint is to be written.
    TrainingRun(const TrainingRun&)            = delete;
    TrainingRun& operator=(const TrainingRun&) = delete;

    const std::shared_ptr<const credence::Experiment>& experiment() const { return m_experiment; }
    Update nextUpdate();

    void pause() { m_control.pause(); }
    void resume() { m_control.resume(); }
    void stepOnce() { m_control.step_once(); }
    bool paused() const { return m_control.paused(); }
    void setRate(double stepsPerSecond) { m_control.set_rate(stepsPerSecond); }   ///< slow motion; 0: full speed
    bool keepsState() const { return m_keepsState; }                              ///< is there a checkpoint folder?
    QString placeName() const;                                                    ///< empty: none
    void requestStop() { m_thread.request_stop(); }
    void stopAndKeepState();   ///< Stops between two steps and writes a checkpoint. Does not wait.
    /// Stops in the same way; the last message contains the data needed to continue. Does not wait.
    void leave();
    bool wasLeft() const { return m_handsOver; }
    void forget() { m_forgotten = true; }   ///< once stopped, it cannot continue

private:
    void work(std::stop_token stop);
    void pauseIfNear(long step);
    credence::TrainingReport trained(std::stop_token stop, const credence::TrainingEvents& events);
    std::shared_ptr<LeftRun> leftRun();
    std::filesystem::path placeToBegin();
    void post(const std::function<void(Update&)>& write);

    std::shared_ptr<const credence::Experiment> m_experiment;
    Train m_train;
    std::function<void()> m_updateReady;
    std::unique_ptr<CheckpointSlot> m_place;   // used by the training thread
    std::shared_ptr<const CheckpointSlot::Files> m_files;
    const bool m_keepsState, m_othersPlace;
    long m_pauseAt;   // used by the training thread; 0: never, or reached by single steps
    QString m_placeName;
    std::atomic<bool> m_forgotten{false}, m_left{false}, m_handsOver{false};
    credence::TrainingControl m_control;
    mutable std::mutex m_mutex;   // of m_placeName, m_update, m_announced, m_ended
    Update m_update;
    std::optional<credence::Provenance> m_provenance;   // of the program that trains
    bool m_announced = false;
    bool m_ended     = false;
    std::condition_variable m_end;
    std::jthread m_thread;   // last: starts after all other members exist and ends first
};

/// The running training, and trainings that were asked to stop but have not ended yet.
class Trainings : public QObject {
    Q_OBJECT
public:
    /// @param train  runs the training; empty: credence::run_with_checkpoints with a folder each
    explicit Trainings(TrainingRun::Train train = {}, QObject* parent = nullptr);

    /// Makes the next run of this Study continue the run interrupted in this folder.
    /// @param files  as for TrainingRun
    void continueIn(std::unique_ptr<CheckpointSlot> place, const credence::Study& study,
                    std::shared_ptr<const CheckpointSlot::Files> files = nullptr);
    /// The name of the folder from which the next run of this Study continues; empty: it starts
    /// from scratch.
    QString next(const credence::Study& study) const;

    void start(std::shared_ptr<const credence::Experiment> experiment, bool paused);
    /// Makes the next training pause after this many steps; 0: never.
    void pauseNextAt(long step) { m_pauseNextAt = step; }
    /// Detaches the running training: no more signals. Its thread ends at most one step later.
    /// @param keepState  it can then continue from its folder: `stopped` is sent when ready
    void leave(bool keepState);
    /// Limits the steps per second of the running and later trainings; 0: full speed. The results
    /// do not change.
    void setRate(double stepsPerSecond);
    double rate() const { return m_rate; }
    /// Asks training to stop between two steps; `held` follows, or `ended` if it finishes first.
    /// @pre run
    void hold();
    bool holding() const { return m_run && m_holding; }   ///< requested, and not finished yet
    /// Like `leave`, but saves the state: `leftUnfinished` follows, with null if the training
    /// finished normally.
    /// @pre run
    void leaveAndSave();
    void requestStop();                                ///< Stops the running training, which still reports its end.
    TrainingRun* run() const { return m_run.get(); }   ///< null: not started, or finished

signals:
    void reported(const TrainingRun::Update& update);   ///< while `run` exists
    void stopped(const QString& place);   ///< a detached training has ended, and its folder has the checkpoint
    /// `run` no longer exists
    void held(const credence::TrainingReport& report, const std::shared_ptr<LeftRun>& left);
    void leftUnfinished(const std::shared_ptr<const credence::Experiment>& experiment,
                        const credence::TrainingReport& report, const std::shared_ptr<LeftRun>& left);
    void ended(const std::shared_ptr<const credence::Experiment>& experiment, const TrainingRun::Update& update);

private:
    void receive(int number);

    std::unique_ptr<CheckpointSlot> placeFor(const credence::Study& study);

    const TrainingRun::Train m_train;
    Mailbox m_mailbox;                               // outlives the runs, which post into it
    std::unique_ptr<CheckpointSlot> m_interrupted;   // null: the next run starts from scratch
    std::shared_ptr<const CheckpointSlot::Files> m_interruptedFiles;
    credence::Study m_interruptedStudy;
    bool m_holding     = false;
    long m_pauseNextAt = 0;   // steps
    int m_number       = 0;
    double m_rate      = 0;   // steps per second
    std::unique_ptr<TrainingRun> m_run;
    std::vector<std::pair<int, std::unique_ptr<TrainingRun>>> m_ending;   // asked to stop, not finished yet
};
