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

    /// The next run of this Study goes on with the one that was interrupted there.
    void goOnIn(std::unique_ptr<RunPlace> place, const credence::Study& study);
    /// The name of the place where the next run of this Study continues; empty: it begins.
    QString next(const credence::Study& study) const;

    void start(std::shared_ptr<const credence::Experiment> experiment, bool paused);
    /// Nothing more is told of the training that goes on. Its thread ends by itself, at most one step later.
    /// @param keepState  it can continue from its place then: `stopped` says when
    void letGo(bool keepState);
    /// Of the training that goes on and of those that come: at most so many steps a second; 0: as fast as it goes. The numbers stay the same.
    void setRate(double stepsPerSecond);
    double rate() const { return m_rate; }
    /// The training that goes on stands between two steps: tells what it had to tell, and has ended. @return  where its checkpoint lies, and its report; empty: none went on, or
    /// it has ended by itself, which is told
    struct Held {
        std::unique_ptr<RunPlace> place;
        credence::TrainingReport report;
    };
    std::optional<Held> hold();
    void requestStop();                                ///< of the training that goes on, which tells of its end
    TrainingRun* run() const { return m_run.get(); }   ///< null: nothing was started, or it has ended

signals:
    void told(const TrainingRun::Mail& mail);   ///< while `run` is still there
    void stopped(const QString& place);         ///< a training that was let go has ended, and its place holds the state
    void ended(const std::shared_ptr<const credence::Experiment>& experiment, const TrainingRun::Mail& mail);

private:
    void receive(int number);

    std::unique_ptr<RunPlace> placeFor(const credence::Study& study);

    const TrainingRun::Train m_train;
    Mailbox m_mailbox;                         // outlives the runs, which post into it
    std::unique_ptr<RunPlace> m_interrupted;   // null: the next run begins
    credence::Study m_interruptedStudy;
    int m_number  = 0;
    double m_rate = 0;   // steps per second
    std::unique_ptr<TrainingRun> m_run;
    std::vector<std::pair<int, std::unique_ptr<TrainingRun>>> m_ending;   // asked to stop, not yet done
};
