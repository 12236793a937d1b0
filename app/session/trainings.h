// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/training_run.h"
#include "work/mailbox.h"

#include <QObject>

#include <optional>
#include <utility>
#include <vector>

/// The running training, and those that were asked to stop but have not ended yet.
class Trainings : public QObject {
    Q_OBJECT
public:
    /// @param train  runs the training; empty: credence::run_with_checkpoints with a folder each
    explicit Trainings(TrainingRun::Train train = {}, QObject* parent = nullptr);

    /// Makes the next run of this Study continue the one interrupted there. @param files  as for
    /// TrainingRun
    void goOnIn(std::unique_ptr<CheckpointSlot> place, const credence::Study& study,
                std::shared_ptr<const CheckpointSlot::Files> files = nullptr);
    /// The name of the folder from which the next run of this Study continues; empty: it starts
    /// from scratch.
    QString next(const credence::Study& study) const;

    void start(std::shared_ptr<const credence::Experiment> experiment, bool paused);
    /// Makes the next training pause after this many steps; 0: never.
    void pauseNextAt(long step) { m_pauseNextAt = step; }
    /// Detaches the running training: no more signals. Its thread ends at most one step later.
    /// @param keepState  it can then continue from its folder: `stopped` is sent when ready
    void letGo(bool keepState);
    /// Limits the steps per second of the running and later trainings; 0: full speed. The results
    /// do not change.
    void setRate(double stepsPerSecond);
    double rate() const { return m_rate; }
    /// Asks training to stop between two steps; `held` follows, or `ended` if it finishes first.
    /// @pre run
    void hold();
    bool holding() const { return m_run && m_holding; }   ///< requested, and not finished yet
    /// As `letGo`, but saves the state: `leftBehind` follows, with null if it finished by itself.
    /// @pre run
    void leaveBehind();
    void requestStop();                                ///< Stops the running training, which still reports its end.
    TrainingRun* run() const { return m_run.get(); }   ///< null: not started, or finished

signals:
    void told(const TrainingRun::Mail& mail);   ///< while `run` exists
    void stopped(const QString& place);         ///< a detached training has ended, and its folder has the checkpoint
    /// `run` no longer exists
    void held(const credence::TrainingReport& report, const std::shared_ptr<LeftRun>& left);
    void leftBehind(const std::shared_ptr<const credence::Experiment>& experiment,
                    const credence::TrainingReport& report, const std::shared_ptr<LeftRun>& left);
    void ended(const std::shared_ptr<const credence::Experiment>& experiment, const TrainingRun::Mail& mail);

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
