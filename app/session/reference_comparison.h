// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/saved_run.h"
#include "session/session.h"

#include "runs/comparison.h"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

class SavedRuns;
class RunOpener;

/// *Compare with reference*: runs the Studies of a comparison one by one, each displayed live, and
/// saves them; then ticks them all and displays the reference. Saved runs of the same Studies are
/// reused. The Study under edit does not change.
class ReferenceComparison : public QObject {
    Q_OBJECT
public:
    ReferenceComparison(Session& session, SavedRuns& runs, RunOpener& opener, QObject* parent = nullptr);

    /// Refused, with a message, while a run or comparison is in progress.
    void begin(const credence::MethodComparison& comparison);
    /// Ends it after the finished runs, which are still ticked and shown.
    void cancel();
    bool active() const { return m_active; }

    struct Progress {
        QString title;    ///< title of the comparison
        QString now;      ///< title of the current method; empty: before the first
        int number = 0;   ///< of this Study, from 1
        int count  = 0;   ///< of all; 0: not known yet
    };
    const Progress& progress() const { return m_progress; }

signals:
    void progressed();   ///< also at the beginning and end
    void notified(const QString& sentence);
    void warned(const QString& sentence);   ///< shown until it no longer applies
    /// The finished runs are ticked. @param shown  the reference is among them and will be
    /// displayed
    void finished(bool shown);

private:
    void setStudies(const std::vector<credence::Study>& studies);
    void trainNext();
    void train(const credence::Study& study);
    void recordFinished(const credence::Study& study, const credence::SavedRun& run);
    void followState();
    void finish();
    std::shared_ptr<SavedRunEntry> keptRunOf(const credence::Study& study) const;

    Session& m_session;
    SavedRuns& m_runs;
    RunOpener& m_opener;
    bool m_active = false, m_cancelled = false, m_training = false;
    bool m_failed = false, m_reported = false;   // of the run in training
    int m_comparison = 0;                        // its number: results requested by an older one are dropped
    Progress m_progress;
    std::vector<credence::Study> m_studies;
    std::size_t m_next = 0;
    std::vector<std::shared_ptr<SavedRunEntry>> m_done;
    std::vector<std::string> m_broken;   // names of runs that did not finish
};
