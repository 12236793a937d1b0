// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"
#include "work/worker.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <vector>

class ReferenceComparison;
class Session;

/// Studies that train one after another, each as soon as no other run is in progress. The Study
/// under edit is displayed when its turn comes; the others train in the background. A run that
/// fails is reported and does not stop the queue.
class RunQueue : public QObject {
    Q_OBJECT
public:
    RunQueue(Session& session, const ReferenceComparison& reference, QObject* parent = nullptr);

    /// Is a run in training to which the Study under edit could be added? Not if it is that run,
    /// waits already or is trained already, or if points have been changed during its training.
    bool canAdd() const;
    void add();   ///< Adds the Study under edit. @pre canAdd
    /// Adds Studies that are not in the queue yet; the first trains at once if no run is in progress.
    void add(const std::vector<credence::Study>& studies);
    void remove(int index);
    void move(int from, int to);   ///< @param to  its index afterwards
    void clear();

    const std::vector<credence::Study>& waiting() const { return m_waiting; }
    /// What distinguishes a waiting Study from the run in training: "Seed: 1 → 7"; empty: its name only.
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
    Worker m_maker{{.niceness = trainingNiceness}};   // last: its thread ends before what it reads
};
