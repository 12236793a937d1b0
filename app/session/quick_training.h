// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/saved_run.h"

#include "study/study.h"

#include <QObject>

#include <memory>
#include <vector>

class RunQueue;
class SavedRuns;
class Session;

/// *Quick comparison*: trains the Studies of several methods one after another by the queue of runs, and ticks
/// them when the last has ended. Saved runs of the same Studies are reused.
class QuickTraining : public QObject {
    Q_OBJECT
public:
    QuickTraining(Session& session, SavedRuns& runs, RunQueue& queue, QObject* parent = nullptr);

    /// A comparison in progress continues with these Studies as well.
    void begin(const std::vector<credence::Study>& studies);
    bool active() const { return !m_waiting.empty(); }
    /// The finished run of this Study, under any name; null: none.
    std::shared_ptr<SavedRunEntry> finishedRunOf(const credence::Study& study) const;

signals:
    void finished(int ticked);   ///< the number of ticked runs

private:
    void takeRun(const credence::Study& study, const credence::SavedRun& run);
    void checkLater();
    void check();

    Session& m_session;
    SavedRuns& m_runs;
    RunQueue& m_queue;
    std::vector<credence::Study> m_waiting;   // queued or in training
    std::vector<std::shared_ptr<SavedRunEntry>> m_done;
};
