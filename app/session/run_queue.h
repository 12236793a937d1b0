// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/saved_run.h"
#include "study/study.h"
#include "work/worker.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

class ReferenceComparison;
class Session;

/// Trains Studies one after another, each as soon as no other run is in progress. The Study under
/// edit is displayed when its turn comes; the others train in the background. A failed run is
/// reported and does not stop the queue.
class RunQueue : public QObject {
    Q_OBJECT
public:
    RunQueue(Session& session, const ReferenceComparison& reference, QObject* parent = nullptr);

    /// Returns true if a run is in training and the Study under edit can be added to the queue. It
    /// cannot if it is that run, is already queued or trained, or if points were changed during its
    /// training.
    bool canAdd() const;
    void add();   ///< Adds the Study under edit. @pre canAdd
    /// Adds Studies that are not in the queue yet; the first trains at once if no run is in progress.
    void add(const std::vector<credence::Study>& studies);
    void remove(int index);
    void move(int from, int to);   ///< @param to  its index afterwards
    void clear();

    const std::vector<credence::Study>& waiting() const { return m_waiting; }
    /// Returns the differences between a queued Study and the run in training: "Seed: 1 → 7".
    /// Empty: they differ only in their names.
    QStringList differences(int index) const;

signals:
    void changed();   ///< the waiting Studies
    void notified(const QString& sentence);
    void failed(const QString& sentence);

private:
    void startLater();
    void startNext();
    bool mayStart() const;
    void train(const credence::Study& study);

    Session& m_session;
    const ReferenceComparison& m_reference;
    std::vector<credence::Study> m_waiting;
    Worker m_maker{{.niceness = trainingNiceness}};   // last: its thread must end before the objects that it reads
};

class RunQueue;
class SavedRuns;
class Session;

/// *Quick comparison*: trains the Studies of several methods one after another through the run
/// queue, and ticks them when the last one has ended. Saved runs of the same Studies are reused.
class QuickTraining : public QObject {
    Q_OBJECT
public:
    QuickTraining(Session& session, SavedRuns& runs, RunQueue& queue, QObject* parent = nullptr);

    /// Starts a comparison, or adds these Studies to the one in progress.
    void begin(const std::vector<credence::Study>& studies);
    bool active() const { return !m_waiting.empty(); }
    /// The finished run of this Study, under any name; null: none.
    std::shared_ptr<SavedRunEntry> finishedRunOf(const credence::Study& study) const;

signals:
    void finished(int ticked);   ///< the number of ticked runs

private:
    void recordFinished(const credence::Study& study, const credence::SavedRun& run);
    void checkLater();
    void check();

    Session& m_session;
    SavedRuns& m_runs;
    RunQueue& m_queue;
    std::vector<credence::Study> m_waiting;   // queued or in training
    std::vector<std::shared_ptr<SavedRunEntry>> m_done;
};
