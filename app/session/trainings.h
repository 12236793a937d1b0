// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/training_run.h"
#include "work/mailbox.h"

#include <QObject>

#include <optional>
#include <utility>
#include <vector>

/// The training that goes on, and those that were asked to stop and have not ended yet.
class Trainings : public QObject {
    Q_OBJECT
public:
    /// @param train  what a run does; empty: credence::run_with_checkpoints, each in a place of its own
    explicit Trainings(TrainingRun::Train train = {}, QObject* parent = nullptr);

    /// The next run of this Study continues the one that was interrupted there. @param files  as TrainingRun has them
    void goOnIn(std::unique_ptr<RunPlace> place, const credence::Study& study,
                std::shared_ptr<const RunPlace::Files> files = nullptr);
    /// The name of the place where the next run of this Study continues; empty: it begins.
    QString next(const credence::Study& study) const;

    void start(std::shared_ptr<const credence::Experiment> experiment, bool paused);
    /// The next training that starts pauses by itself after so many steps; 0: it does not.
    void pauseNextAt(long step) { m_pauseNextAt = step; }
    /// Nothing more is told of the training that goes on. Its thread ends by itself, at most one step later.
    /// @param keepState  it can continue from its place then: `stopped` says when
    void letGo(bool keepState);
    /// Of the training that goes on and of those that come: at most so many steps a second; 0: as fast as it goes. The numbers stay the same.
    void setRate(double stepsPerSecond);
    double rate() const { return m_rate; }
    /// Asks the training to end between two steps; `held` follows, or `ended` if it comes to its own end first. @pre run
    void hold();
    bool holding() const { return m_run && m_holding; }   ///< was it asked, and has not ended yet?
    /// As `letGo`, but it leaves its state: `leftBehind` follows, with null if it came to its own end. @pre run
    void leaveBehind();
    void requestStop();                                ///< of the training that goes on, which tells of its end
    TrainingRun* run() const { return m_run.get(); }   ///< null: nothing was started, or it has ended

signals:
    void told(const TrainingRun::Mail& mail);   ///< while `run` is still there
    void stopped(const QString& place);         ///< a training that was let go has ended, and its place holds the state
    void held(const credence::TrainingReport& report, const std::shared_ptr<LeftRun>& left);   ///< `run` has gone
    void leftBehind(const std::shared_ptr<const credence::Experiment>& experiment,
                    const credence::TrainingReport& report, const std::shared_ptr<LeftRun>& left);
    void ended(const std::shared_ptr<const credence::Experiment>& experiment, const TrainingRun::Mail& mail);

private:
    void receive(int number);

    std::unique_ptr<RunPlace> placeFor(const credence::Study& study);

    const TrainingRun::Train m_train;
    Mailbox m_mailbox;                         // outlives the runs, which post into it
    std::unique_ptr<RunPlace> m_interrupted;   // null: the next run begins
    std::shared_ptr<const RunPlace::Files> m_interruptedFiles;
    credence::Study m_interruptedStudy;
    bool m_holding     = false;
    long m_pauseNextAt = 0;   // steps
    int m_number       = 0;
    double m_rate      = 0;   // steps per second
    std::unique_ptr<TrainingRun> m_run;
    std::vector<std::pair<int, std::unique_ptr<TrainingRun>>> m_ending;   // asked to stop, not yet done
};
