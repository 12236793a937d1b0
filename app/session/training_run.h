// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/run_place.h"

#include "runs/run_with_checkpoints.h"

#include <QString>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

/// A run that was left between two steps, to be continued.
struct LeftRun {
    std::unique_ptr<RunPlace> place;                ///< of its checkpoint
    std::shared_ptr<const RunPlace::Files> files;   ///< the same once more; null: they cannot be read
};

/// One training in a thread of its own, on all cores, below the window's priority. What it has to tell waits in a mailbox until it is taken,
/// so that a busy window never makes training wait and never sees a queue of old news.
class TrainingRun {
public:
    struct Mail {
        std::shared_ptr<const credence::Snapshot> newest;                  ///< older live ones are dropped
        std::vector<std::shared_ptr<const credence::Snapshot>> recorded;   ///< every recorded step, in order
        std::optional<credence::TrainingProgress> progress;
        /// Of a run that goes on after it was interrupted: what it recorded then. Before all else.
        std::shared_ptr<const credence::RecordedBefore> before;
        std::vector<std::string> told;                    ///< sentences on its checkpoints
        std::optional<credence::TrainingReport> report;   ///< once, at the end
        /// At the beginning, and again at the end of a run that another build began.
        std::optional<credence::Provenance> provenance;
        std::string mistake;             ///< with the report: the sentence of what the training threw
        bool keepsState = false;         ///< with the report: the run can continue from its place
        std::shared_ptr<LeftRun> left;   ///< with the report, after `leave`; null: it ended by itself
    };
    using Train = std::function<credence::TrainingReport(const credence::Experiment&, std::stop_token,
                                                         credence::TrainingControl*, const credence::TrainingEvents&)>;

    /// @param place        where its checkpoints go, and where it goes on if it was interrupted there; null: nowhere
    /// @param files        of a checkpoint to continue from, written there first; null: what is there
    /// @param train        what it does where it has no place
    /// @param stepsPerSecond  see `setRate`
    /// @param pauseAt      it pauses by itself after so many steps; 0: it does not
    /// @param mailArrived  called on the training thread when the empty mailbox gets its first letter
    TrainingRun(std::shared_ptr<const credence::Experiment> experiment, bool startPaused,
                std::unique_ptr<RunPlace> place, std::shared_ptr<const RunPlace::Files> files, Train train,
                std::function<void()> mailArrived, double stepsPerSecond = 0, long pauseAt = 0);
    ~TrainingRun();   ///< asks for a stop and waits, a while longer where the state is kept
    TrainingRun(const TrainingRun&)            = delete;
    TrainingRun& operator=(const TrainingRun&) = delete;

    const std::shared_ptr<const credence::Experiment>& experiment() const { return m_experiment; }
    Mail takeMail();

    void pause() { m_control.pause(); }
    void resume() { m_control.resume(); }
    void stepOnce() { m_control.step_once(); }
    bool paused() const { return m_control.paused(); }
    void setRate(double stepsPerSecond) { m_control.set_rate(stepsPerSecond); }   ///< slow motion; 0: full speed
    bool keepsState() const { return m_keepsState; }           ///< is there a place for its checkpoints?
    const QString& placeName() const { return m_placeName; }   ///< empty: there is none
    void requestStop() { m_thread.request_stop(); }
    void stopAndKeepState();   ///< ends it between two steps, so that it can continue there. Does not wait
    /// The same, and its last mail has what is needed to continue it. Nothing here waits either.
    void leave();
    bool wasLeft() const { return m_handsOver; }
    void forget() { m_forgotten = true; }   ///< once it has stopped, it cannot continue

private:
    void work(std::stop_token stop);
    void pauseIfNear(long step);
    credence::TrainingReport trained(std::stop_token stop, const credence::TrainingEvents& events);
    std::shared_ptr<LeftRun> leftRun();
    void post(const std::function<void(Mail&)>& write);

    std::shared_ptr<const credence::Experiment> m_experiment;
    Train m_train;
    std::function<void()> m_mailArrived;
    std::unique_ptr<RunPlace> m_place;
    std::shared_ptr<const RunPlace::Files> m_files;
    const bool m_keepsState;
    long m_pauseAt;   // the training thread's; 0: nowhere, or single steps lead there
    const QString m_placeName;
    std::atomic<bool> m_forgotten{false}, m_left{false}, m_handsOver{false};
    credence::TrainingControl m_control;
    std::mutex m_mutex;
    Mail m_mail;
    std::optional<credence::Provenance> m_provenance;   // of the thread that trains
    bool m_announced = false;
    bool m_ended     = false;
    std::condition_variable m_end;
    std::jthread m_thread;   // last: starts when the rest is there, ends first
};
